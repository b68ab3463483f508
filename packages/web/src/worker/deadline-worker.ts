import type { WorkerMessage } from "./serve-worker.ts";

interface Job<Request, Answer> {
  request: Request;
  signal: AbortSignal | undefined;
  resolve(answer: Answer | null): void;
}

/** The part of a `Worker` that is used. */
export interface WorkerLike {
  postMessage(message: unknown): void;
  addEventListener(type: "message" | "error", listener: (event: { data?: unknown }) => void): void;
  terminate(): void;
}

export interface DeadlineWorker<Request, Answer> {
  /** Null when the work failed or took too long. A request that is aborted while it waits is never started. */
  run(request: Request, signal?: AbortSignal): Promise<Answer | null>;
}

/** For the code of a worker, and for what a request needs to be loaded: what is not there by then does not come. */
const loadMs = 30_000;

/**
 * Runs requests one at a time in a worker (see `serveWorker`). Work that takes longer than the deadline, from when all it needs is
 * loaded, is ended together with its worker, and the next request gets a new one: a text that takes a parser minutes costs the others no more than the deadline.
 */
export function createDeadlineWorker<Request, Answer>(open: () => WorkerLike, deadlineMs: number): DeadlineWorker<Request, Answer> {
  const queue: Job<Request, Answer>[] = [];
  let worker: WorkerLike | undefined;
  let isReady = false;
  let current: Job<Request, Answer> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function wait(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(replaceWorker, ms);
  }

  function finish(answer: Answer | null): void {
    clearTimeout(timer);
    const done = current;
    current = undefined;
    done?.resolve(answer);
    startNext();
  }

  function replaceWorker(): void {
    worker?.terminate();
    worker = undefined;
    isReady = false;
    finish(null);
  }

  function openWorker(): WorkerLike {
    const opened = open();
    opened.addEventListener("message", ({ data }) => {
      if (opened !== worker) return;
      const message = data as WorkerMessage<Answer>;
      if (message.kind === "answer") return finish(message.answer);
      if (message.kind === "started") return wait(deadlineMs);
      isReady = true;
      send();
    });
    opened.addEventListener("error", () => {
      if (opened === worker) replaceWorker();
    });
    return opened;
  }

  function send(): void {
    if (!current) return;
    wait(loadMs);
    worker?.postMessage(current.request);
  }

  function startNext(): void {
    while (!current) {
      const job = queue.shift();
      if (!job) return;
      if (job.signal?.aborted) job.resolve(null);
      else current = job;
    }
    worker ??= openWorker();
    if (isReady) send();
    else wait(loadMs);
  }

  return {
    run: (request, signal) =>
      new Promise((resolve) => {
        queue.push({ request, signal, resolve });
        if (!current) startNext();
      }),
  };
}
