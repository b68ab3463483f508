import { describe, expect, it } from "vitest";
import { toDrop, toMove } from "./queue-order.ts";

describe("toMove", () => {
  const order = ["a", "b", "c"];
  it("moves by one place, and not beyond the ends", () => {
    expect([toMove(order, "b", -1), toMove(order, "b", 1), toMove(order, "a", 1)]).toEqual(["a", null, "c"]);
    expect([toMove(order, "a", -1), toMove(order, "c", 1), toMove(order, "x", 1)]).toEqual([undefined, undefined, undefined]);
  });
});

describe("toDrop", () => {
  const order = ["a", "b", "c"];
  it("goes before the one that it was dropped above, or to the end", () => {
    expect([toDrop(order, "c", 0), toDrop(order, "a", 1), toDrop(order, "a", 2)]).toEqual(["a", "c", null]);
  });
  it("goes nowhere from its own place, or when it is not there any more", () => {
    expect([toDrop(order, "a", 0), toDrop(order, "b", 1), toDrop(order, "c", 2), toDrop(order, "x", 0)]).toEqual(Array(4).fill(undefined));
  });
});
