import { expect, it } from "vitest";
import { createBatchSize } from "./batch-size.ts";

/** The size after many batches, where each megabyte takes `msPerMegabyte` to write. */
function settle(msPerMegabyte: number): number {
  const batch = createBatchSize();
  for (let round = 0; round < 30; round++) batch.learn({ bytes: batch.bytes, ms: (batch.bytes / 1_000_000) * msPerMegabyte });
  return batch.bytes;
}

it("[Q15] the longer it takes to write, the less is written at once, within limits", () => {
  expect(settle(20)).toBeCloseTo(600_000, -3);
  expect(settle(40)).toBeCloseTo(300_000, -3);
  expect(settle(10_000)).toBe(128 * 1024);
  expect(settle(0)).toBe(4 * 1024 * 1024);
});

it("one slow commit does not shrink the next batches, and a few records prove nothing", () => {
  const batch = createBatchSize();
  const before = batch.bytes;
  batch.learn({ bytes: 100, ms: 1000 });
  expect(batch.bytes).toBe(before);
  batch.learn({ bytes: before, ms: 10_000 });
  expect(batch.bytes).toBeGreaterThanOrEqual(before / 2);
});
