import { Worker } from "node:worker_threads";
import { locateProgram } from "@skein/agents/locate-program";
import { createRequestThread } from "../threads/request-thread.ts";

export interface GitRequest {
  args: string[];
  cwd: string;
  environment: Record<string, string>;
  /** For its stdin. */
  input: string;
  maxBytes: number;
  timeoutMs: number;
  /** Of stdin and stdout. `latin1` keeps every byte: a character is a byte. */
  encoding: "utf8" | "latin1";
  /** Answers with the first `maxBytes` of a longer output instead of failing. */
  keepTruncated: boolean;
}

export interface GitFailure {
  exitCode: number | null;
  stdout: string;
  stderr: string;
  message: string;
  /** Why it could not be started: a code of the system. */
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

/** Runs git in the thread, which is started when it is needed. Never rejects. */
export function runInGitThread(request: GitRequest): Promise<GitResult> {
  return thread.call(request);
}
