/*
 * Runs git for the server in a thread of its own. To start a process blocks the thread that does it until the system has made
 * the process: twenty starts in a row would keep everything else in the server waiting.
 */
import { execFile } from "node:child_process";
import { parentPort } from "node:worker_threads";
import type { GitAnswer, GitRequest } from "./git-thread.ts";

parentPort?.on("message", ({ id, args, cwd, environment, maxBytes }: GitRequest) => {
  const options = { cwd, env: environment, maxBuffer: maxBytes, encoding: "utf8", shell: false } as const;
  const child = execFile("git", args, options, (error, stdout, stderr) => {
    if (error === null) return answer({ id, stdout });
    answer({ id, failure: { exitCode: typeof error.code === "number" ? error.code : null, stderr, message: error.message } });
  });
  child.stdin?.end();
});

function answer(message: GitAnswer): void {
  parentPort?.postMessage(message);
}
