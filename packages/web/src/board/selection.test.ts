import type { TaskId } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { keepShown, nothingSelected, selectRange, toggleSelected } from "./selection.ts";

const order = ["a", "b", "c", "d"] as TaskId[];
const [a, b, c, d] = order as [TaskId, TaskId, TaskId, TaskId];

describe("the selection", () => {
  it("toggles, and a range goes from the last one toggled, in either direction", () => {
    const one = toggleSelected(nothingSelected, c);
    expect([...selectRange(one, order, a).ids].sort()).toEqual([a, b, c]);
    expect([...selectRange(one, order, d).ids].sort()).toEqual([c, d]);
    expect(toggleSelected(one, c)).toEqual(nothingSelected);
  });
  it("a range without a start is one task", () => {
    expect([...selectRange(nothingSelected, order, b).ids]).toEqual([b]);
  });
  it("what is not shown any more is not selected any more", () => {
    const two = toggleSelected(toggleSelected(nothingSelected, a), b);
    expect(keepShown(two, [a])).toEqual({ ids: new Set([a]), anchor: null });
    expect(keepShown(two, order)).toBe(two);
  });
});
