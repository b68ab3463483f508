/*
 * Runs git in a worker thread. Spawning blocks the calling thread until the process exists: twenty spawns in a row would stall the
 * server.
 */
import { execFile } from "node:child_process";
import { serveRequests } from "../threads/serve-requests.ts";
import type { GitRequest, GitResult } from "./git-thread.ts";

serveRequests<GitRequest, GitResult>(
  ({ args, cwd, environment, input, maxBytes, timeoutMs, encoding, keepTruncated }) =>
    new Promise((resolve) => {
      const limits = { maxBuffer: maxBytes, timeout: timeoutMs, killSignal: "SIGKILL" } as const;
      const options = { cwd, env: environment, encoding, shell: false, ...limits } as const;
      const child = execFile("git", args, options, (error, stdout, stderr) => {
        if (error === null) return resolve({ stdout, truncated: false });
        if (keepTruncated && error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return resolve({ stdout, truncated: true });
        const message = error.killed && error.code === undefined ? `It did not end within ${timeoutMs / 1000} seconds.` : error.message;
        resolve({
          failure: {
            exitCode: typeof error.code === "number" ? error.code : null,
            stdout,
            stderr,
            message,
            ...(typeof error.code === "string" ? { code: error.code } : {}),
          },
        });
      });
      // git that fails early closes its stdin; its exit code reports the failure
      child.stdin?.on("error", () => {});
      child.stdin?.end(input, encoding);
    }),
);
