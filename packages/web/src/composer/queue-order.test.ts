import { describe, expect, it } from "vitest";
import { toMove } from "./queue-order.ts";

describe("toMove", () => {
  const order = ["a", "b", "c"];
  it("moves by one place, and not beyond the ends", () => {
    expect([toMove(order, "b", -1), toMove(order, "b", 1), toMove(order, "a", 1)]).toEqual(["a", null, "c"]);
    expect([toMove(order, "a", -1), toMove(order, "c", 1), toMove(order, "x", 1)]).toEqual([undefined, undefined, undefined]);
  });
});
