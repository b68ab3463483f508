import { Worker } from "node:worker_threads";

export interface GitRequest {
  id: number;
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
  stderr: string;
  message: string;
  /** Why it could not be started: a code of the system. */
  code?: string;
}

export type GitAnswer = { id: number } & GitResult;

type GitResult = { stdout: string; truncated: boolean } | { failure: GitFailure };

/** A server at rest holds no thread. */
const idleMs = 10_000;

let thread: Worker | undefined;
let idleTimer: NodeJS.Timeout | undefined;
let lastId = 0;
const waiting = new Map<number, (result: GitResult) => void>();

/** Runs git in the thread, which is started when it is needed. Never rejects. */
export function runInGitThread(request: Omit<GitRequest, "id">): Promise<GitResult> {
  const id = ++lastId;
  return new Promise<GitResult>((resolve) => {
    waiting.set(id, resolve);
    clearTimeout(idleTimer);
    thread ??= startThread();
    thread.ref();
    thread.postMessage({ id, ...request } satisfies GitRequest);
  });
}

function startThread(): Worker {
  const started = new Worker(new URL("./git-thread-program.ts", import.meta.url), { name: "git" });
  started.on("message", ({ id, ...result }: GitAnswer) => settle(id, result));
  started.on("error", (error) => abandon(started, error instanceof Error ? error : new Error(String(error))));
  started.on("exit", () => abandon(started, new Error("it ended")));
  return started;
}

function settle(id: number, result: GitResult): void {
  waiting.get(id)?.(result);
  waiting.delete(id);
  if (waiting.size > 0) return;
  thread?.unref();
  clearTimeout(idleTimer);
  idleTimer = setTimeout(endThread, idleMs).unref();
}

function endThread(): void {
  const ended = thread;
  thread = undefined;
  void ended?.terminate();
}

/** The next call starts another one. */
function abandon(ended: Worker, { message: reason, code }: NodeJS.ErrnoException): void {
  if (ended !== thread) return;
  thread = undefined;
  const message = `The thread that runs git failed (${reason}). Try again.`;
  for (const id of [...waiting.keys()])
    settle(id, { failure: { exitCode: null, stderr: "", message, ...(code === undefined ? {} : { code }) } });
}
