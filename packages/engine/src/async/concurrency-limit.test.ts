import { expect, it } from "vitest";
import { createConcurrencyLimit } from "./concurrency-limit.ts";

it("never runs more jobs at once than the limit, runs all of them in order, and a failure frees its place", async () => {
  const limit = createConcurrencyLimit(2);
  const started: number[] = [];
  let running = 0;
  let most = 0;
  const work = (number: number) => async () => {
    started.push(number);
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    if (number === 1) throw new Error("no");
    return number;
  };
  const all = await Promise.allSettled([0, 1, 2, 3, 4].map((number) => limit(work(number))));
  expect(all.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled", "fulfilled"]);
  expect([started, most, running]).toEqual([[0, 1, 2, 3, 4], 2, 0]);
  expect(await limit(work(9))).toBe(9);
});
