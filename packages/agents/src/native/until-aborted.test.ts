import { expect, test } from "vitest";
import { untilAborted } from "./until-aborted.ts";

test("[N2] an unresponsive source is abandoned at once", async () => {
  const controller = new AbortController();
  const silent = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<IteratorResult<string>>(() => {}) }) };
  const next = untilAborted(silent, controller.signal).next();
  controller.abort(new Error("stopped"));
  await expect(next).rejects.toThrow("stopped");
});

test("values pass through, and an abandoned source is closed", async () => {
  let closed = 0;
  async function* source() {
    try {
      yield 1;
      yield 2;
    } finally {
      closed++;
    }
  }
  const { signal } = new AbortController();
  const all: number[] = [];
  for await (const item of untilAborted(source(), signal)) all.push(item);
  expect(all).toEqual([1, 2]);
  for await (const item of untilAborted(source(), signal)) if (item === 1) break;
  expect(closed).toBe(2);
});

test("a failure of the source is passed on", async () => {
  // biome-ignore lint/correctness/useYield: it fails before it gives anything
  async function* source(): AsyncGenerator<number> {
    throw new Error("broken");
  }
  await expect(untilAborted(source(), new AbortController().signal).next()).rejects.toThrow("broken");
});
