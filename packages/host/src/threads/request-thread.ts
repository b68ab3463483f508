import type { Worker } from "node:worker_threads";

/** A message from a thread: the result of a request, or the number of child processes it still has to reap. */
export type ThreadMessage<Result> = { id: number; result: Result } | { children: number };

/** An idle server keeps no thread. */
const idleMs = 10_000;

/**
 * Sends requests to a worker thread, which starts on demand and is ended after an idle period, once it has no child processes to reap.
 * `call` never rejects: if the thread fails, its requests resolve with `toFailure`, and the next request starts a new thread.
 */
export function createRequestThread<Request extends object, Result>(input: {
  start(): Worker;
  toFailure(error: NodeJS.ErrnoException): Result;
}): { call(request: Request): Promise<Result> } {
  const waiting = new Map<number, (result: Result) => void>();
  let thread: Worker | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let lastId = 0;
  let children = 0;

  function startThread(): Worker {
    const started = input.start();
    children = 0;
    started.on("message", (message: ThreadMessage<Result>) => {
      if (started !== thread) return;
      if ("children" in message) children = message.children;
      else settle(message.id, message.result);
      if (waiting.size === 0) rest();
    });
    started.on("error", (error) => abandon(started, error instanceof Error ? error : new Error(String(error))));
    started.on("exit", () => abandon(started, new Error("it ended")));
    return started;
  }

  function settle(id: number, result: Result): void {
    waiting.get(id)?.(result);
    waiting.delete(id);
  }

  function rest(): void {
    thread?.unref();
    clearTimeout(idleTimer);
    if (children === 0) idleTimer = setTimeout(endThread, idleMs).unref();
  }

  function endThread(): void {
    const ended = thread;
    thread = undefined;
    void ended?.terminate();
  }

  function abandon(ended: Worker, error: NodeJS.ErrnoException): void {
    if (ended !== thread) return;
    thread = undefined;
    for (const id of [...waiting.keys()]) settle(id, input.toFailure(error));
  }

  return {
    call(request) {
      const id = ++lastId;
      return new Promise<Result>((resolve) => {
        waiting.set(id, resolve);
        clearTimeout(idleTimer);
        thread ??= startThread();
        thread.ref();
        thread.postMessage({ id, request });
      });
    },
  };
}
