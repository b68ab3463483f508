/**
 * What a worker sends: `ready` once its code is loaded; then for each request `started` when nothing but the work itself is left
 * to do, and one `answer`.
 */
export type WorkerMessage<Answer> = { kind: "ready" } | { kind: "started" } | { kind: "answer"; answer: Answer | null };

export interface WorkerService<Request, Answer> {
  /** Loads what the request needs. Does not count against the deadline: how long it takes is up to network and disk, not to the request. */
  prepare?(request: Request): Promise<void>;
  work(request: Request): Answer | null;
}

/** Answers the requests of `createDeadlineWorker`; null where the work fails. Called once, by a worker's own module. */
export function serveWorker<Request, Answer>({ prepare, work }: WorkerService<Request, Answer>): void {
  const post = (message: WorkerMessage<Answer>) => postMessage(message);
  addEventListener("message", async ({ data }: MessageEvent<Request>) => {
    try {
      await prepare?.(data);
      post({ kind: "started" });
      post({ kind: "answer", answer: work(data) });
    } catch {
      post({ kind: "answer", answer: null });
    }
  });
  post({ kind: "ready" });
}
