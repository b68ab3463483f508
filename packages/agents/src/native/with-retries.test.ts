import { type Model, ModelError, type ModelEvent } from "@skein/engine";
import { expect, test } from "vitest";
import { toRetryDelay, withRetries } from "./with-retries.ts";

const { signal } = new AbortController();
const limits = { retries: 2, retryDelayMs: 0 };
const done: ModelEvent = { type: "end", stopReason: "end", usage: {} };

function createModel(failures: ModelError[]): Model & { asked: () => number } {
  let asked = 0;
  return {
    id: "test/model",
    contextWindow: 1000,
    asked: () => asked,
    async *stream() {
      const failure = failures[asked++];
      yield { type: "text-delta", index: 0, text: "half" };
      if (failure !== undefined) throw failure;
      yield done;
    },
  };
}

async function collect(model: Model): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of withRetries(model, limits).stream({ messages: [], tools: [] }, { signal })) events.push(event);
  return events;
}

test("[N2] a transient failure is retried, and nothing of the failed answer is duplicated", async () => {
  const model = createModel([new ModelError("rate-limit", "slow down"), new ModelError("network", "cut")]);
  expect(await collect(model)).toEqual([{ type: "text-delta", index: 0, text: "half" }, done]);
  expect(model.asked()).toBe(3);
});

test("[N2] permanent failures are not retried, and transient ones only a limited number of times", async () => {
  const refused = createModel([new ModelError("auth", "no key")]);
  await expect(collect(refused)).rejects.toThrow("no key");
  const busy = createModel(Array.from({ length: 9 }, () => new ModelError("overloaded", "busy")));
  await expect(collect(busy)).rejects.toThrow("busy");
  expect([refused.asked(), busy.asked()]).toEqual([1, 3]);
});

test("[N2] each retry waits longer, never less than the provider asked for, and never more than a minute", () => {
  const wait = (retry: number, retryAfterMs?: number) =>
    toRetryDelay(new ModelError("rate-limit", "", { retryAfterMs }), retry, { retries: 9, retryDelayMs: 1000 });
  for (let retry = 1; retry < 6; retry++) {
    expect(wait(retry)).toBeGreaterThanOrEqual(1000 * 2 ** (retry - 1));
    expect(wait(retry)).toBeLessThan(1000 * 2 ** retry);
  }
  expect(wait(1, 30_000)).toBeGreaterThanOrEqual(30_000);
  expect(wait(1, 3_600_000)).toBe(60_000);
  expect(wait(20)).toBe(60_000);
});
