import { setTimeout as delay } from "node:timers/promises";
import { type Model, ModelError, type ModelErrorKind, type ModelEvent } from "@skein/engine";

/** Failures after which a retry may succeed. */
const transientFailures: readonly ModelErrorKind[] = ["rate-limit", "overloaded", "network"];
const longestDelayMs = 60_000;

export interface RetryLimits {
  retries: number;
  /** Before the first retry; doubles each time. */
  retryDelayMs: number;
}

/** A provider that asks for more patience is not asked again by the agent: its execution is parked (L3). */
export function isWorthRetrying(error: unknown): error is ModelError {
  return error instanceof ModelError && transientFailures.includes(error.kind) && (error.retryAfterMs ?? 0) <= longestDelayMs;
}

/** The delay before a retry, counted from 1. Randomized: subagents that were rejected together must not retry together. */
export function toRetryDelay(error: ModelError, retry: number, { retryDelayMs }: RetryLimits): number {
  const wanted = error.retryAfterMs ?? retryDelayMs * 2 ** (retry - 1);
  return Math.min(longestDelayMs, wanted * (1 + Math.random() / 4));
}

/** For answers that are not shown while they arrive: returns a complete one, after up to `retries` retries. */
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
          if (!isWorthRetrying(error) || signal.aborted || retry > limits.retries) throw error;
          await delay(toRetryDelay(error, retry, limits), undefined, { signal });
        }
      }
    },
  };
}
