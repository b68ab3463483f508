import { setTimeout as delay } from "node:timers/promises";
import { type Model, ModelError, type ModelErrorKind, type ModelEvent } from "@skein/engine";

/** What may have passed when it is tried again. */
export const passingFailures: readonly ModelErrorKind[] = ["rate-limit", "overloaded", "network"];
const longestDelayMs = 60_000;

export interface RetryLimits {
  retries: number;
  /** Before the first retry; doubles each time. */
  retryDelayMs: number;
}

/** From 1: how long to wait before the nth retry. Not for all the same: subagents that were refused together would be again. */
export function toRetryDelay(error: ModelError, retry: number, { retryDelayMs }: RetryLimits): number {
  const wanted = error.retryAfterMs ?? retryDelayMs * 2 ** (retry - 1);
  return Math.min(longestDelayMs, wanted * (1 + Math.random() / 4));
}

/** For answers that nobody watches: they come whole, after as many tries as it takes. */
export function withRetries(model: Model, limits: RetryLimits): Model {
  return {
    id: model.id,
    contextWindow: model.contextWindow,
    async *stream(request, { signal }) {
      for (let retry = 1; ; retry++) {
        try {
          const events: ModelEvent[] = [];
          for await (const event of model.stream(request, { signal })) events.push(event);
          yield* events;
          return;
        } catch (error) {
          const isPassing = error instanceof ModelError && passingFailures.includes(error.kind);
          if (!isPassing || signal.aborted || retry > limits.retries) throw error;
          await delay(toRetryDelay(error, retry, limits), undefined, { signal });
        }
      }
    },
  };
}
