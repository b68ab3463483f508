import { Worker } from "node:worker_threads";
import { locateProgram } from "@skein/agents/locate-program";
import { createRequestThread } from "../threads/request-thread.ts";

export interface GitRequest {
  args: string[];
  cwd: string;
  environment: Record<string, string>;
  /** Written to stdin. */
  input: string;
  maxBytes: number;
  timeoutMs: number;
  /** Encoding of stdin and stdout. `latin1` preserves bytes: one character per byte. */
  encoding: "utf8" | "latin1";
  /** Returns the first `maxBytes` of a longer output instead of failing. */
  keepTruncated: boolean;
}

export interface GitFailure {
  exitCode: number | null;
  stdout: string;
  stderr: string;
  message: string;
  /** System error code if git could not be started. */
  code?: string;
}

export type GitResult = { stdout: string; truncated: boolean } | { failure: GitFailure };

const thread = createRequestThread<GitRequest, GitResult>({
  start: () => new Worker(locateProgram(new URL("./git-thread-program.ts", import.meta.url)), { name: "git" }),
  toFailure({ message: reason, code }) {
    const message = `The thread that runs git failed (${reason}). Try again.`;
    return { failure: { exitCode: null, stdout: "", stderr: "", message, ...(code === undefined ? {} : { code }) } };
  },
});

/** Runs git in the worker thread, which starts on demand. Never rejects. */
export function runInGitThread(request: GitRequest): Promise<GitResult> {
  return thread.call(request);
}
