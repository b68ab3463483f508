import { describe, expect, it } from "vitest";
import { toTodoRows } from "./todo-rows.ts";

const item = (text: string, status: "pending" | "in-progress" | "completed" = "pending") => ({ text, status });

describe("[U5] toTodoRows", () => {
  it("marks what changed, what is new and what went", () => {
    const rows = toTodoRows({ previous: [item("a"), item("b"), item("c")], items: [item("a", "completed"), item("b"), item("d")] });
    expect(rows.map(({ text, change }) => [text, change])).toEqual([
      ["a", "changed"],
      ["b", "none"],
      ["d", "added"],
      ["c", "removed"],
    ]);
  });

  it("marks nothing when the earlier list is not known", () => {
    expect(toTodoRows({ items: [item("a")] })).toEqual([{ text: "a", status: "pending", change: "none" }]);
  });

  it("pairs items of the same text one to one", () => {
    expect(toTodoRows({ previous: [item("a")], items: [item("a"), item("a")] }).map(({ change }) => change)).toEqual(["none", "added"]);
  });
});
