/** What a worker sends: once when its code is loaded, then one answer for each request. */
export type WorkerMessage<Answer> = { kind: "ready" } | { kind: "answer"; answer: Answer | null };

/** Answers the requests of `createDeadlineWorker`; null where `work` fails. Called once, by a worker's own module. */
export function serveWorker<Request, Answer>(work: (request: Request) => Answer | null | Promise<Answer | null>): void {
  const post = (message: WorkerMessage<Answer>) => postMessage(message);
  addEventListener("message", async ({ data }: MessageEvent<Request>) => {
    try {
      post({ kind: "answer", answer: await work(data) });
    } catch {
      post({ kind: "answer", answer: null });
    }
  });
  post({ kind: "ready" });
}
