import { describe, expect, it } from "vitest";
import { toTicks } from "./axis-ticks.ts";

describe("toTicks", () => {
  it("takes round steps", () => {
    expect(toTicks(1000)).toEqual([0, 200, 400, 600, 800, 1000]);
    expect(toTicks(0)).toEqual([0]);
  });
  it("has a handful of them at any length", () => {
    for (const duration of [1, 7, 90, 12_345, 3_600_000, 1e9]) {
      expect(toTicks(duration).length, String(duration)).toBeGreaterThanOrEqual(3);
      expect(toTicks(duration).length, String(duration)).toBeLessThanOrEqual(9);
    }
  });
});
