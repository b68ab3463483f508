import type { Task } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { toUndo, withTag } from "./task-change.ts";

const task = { id: "tsk_1", status: "todo", position: 3, priority: "low", tags: ["a"], archived: false, title: "T" } as unknown as Task;

describe("toUndo", () => {
  it("puts back what was changed, a move with its place, and nothing else", () => {
    const saved = { ...task, status: "done", position: 9, title: "Renamed meanwhile" } as Task;
    expect(toUndo([{ task, changes: { status: "done" } }], [saved])).toEqual([{ task: saved, changes: { status: "todo", position: 3 } }]);
    expect(toUndo([{ task, changes: { archived: true, tags: ["a", "b"] } }], [])).toEqual([
      { task, changes: { archived: false, tags: ["a"] } },
    ]);
  });
});

describe("withTag", () => {
  it("changes only tasks that do not have it", () => {
    expect(withTag([task], "a")).toEqual([]);
    expect(withTag([task], "b")).toEqual([{ task, changes: { tags: ["a", "b"] } }]);
  });
});
