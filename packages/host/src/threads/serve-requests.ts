import { parentPort } from "node:worker_threads";
import type { ThreadMessage } from "./request-thread.ts";

/** Runs inside a thread of `createRequestThread`: calls `handle` for each request, concurrently. */
export function serveRequests<Request, Result>(handle: (request: Request) => Promise<Result>): { waitFor(children: number): void } {
  const send = (message: ThreadMessage<Result>): void => parentPort?.postMessage(message);
  parentPort?.on("message", async ({ id, request }: { id: number; request: Request }) => send({ id, result: await handle(request) }));
  return { waitFor: (children) => send({ children }) };
}
