import type { Task, TaskStatus } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { moveCard, nextCard, positionAt, toBoardColumns } from "./board-columns.ts";

const task = (id: string, status: TaskStatus, position: number) => ({ id, status, position, createdAt: 0 }) as Task;
const tasks = [task("a", "todo", 1), task("b", "todo", 2), task("c", "todo", 3), task("d", "in-review", 5), task("e", "done", 1)];
const columns = toBoardColumns(tasks);

describe("toBoardColumns", () => {
  it("sorts by position and leaves out an empty cancelled column only", () => {
    expect(
      toBoardColumns([task("x", "todo", 2), task("y", "todo", 1)]).map((column) => [column.status, column.tasks.map(({ id }) => id)]),
    ).toEqual([
      ["todo", ["y", "x"]],
      ["in-progress", []],
      ["in-review", []],
      ["done", []],
    ]);
    expect(toBoardColumns([task("x", "cancelled", 1)])).toHaveLength(5);
  });
});

describe("nextCard", () => {
  it.each([
    ["a", "down", "b"],
    ["a", "up", null],
    ["c", "right", "d"],
    ["d", "right", "e"],
    ["d", "left", "a"],
    ["e", "right", null],
    ["gone", "down", "a"],
  ] as const)("%s %s is %s", (from, direction, to) => expect(nextCard(columns, from, direction)?.id ?? null).toBe(to));
});

describe("moveCard", () => {
  it("moves to the next column, also an empty one, near the same height", () => {
    expect(moveCard(columns, "b", "right")).toEqual({ status: "in-progress", position: 1 });
    expect(moveCard(columns, "e", "left")).toEqual({ status: "in-review", position: 4 });
    expect(moveCard(columns, "e", "right")).toEqual({ status: "cancelled", position: 1 });
    expect(moveCard(columns, "a", "left")).toBeNull();
  });

  it("moves within the column and stops at its ends", () => {
    expect(moveCard(columns, "a", "down")).toEqual({ status: "todo", position: 2.5 });
    expect(moveCard(columns, "c", "up")).toEqual({ status: "todo", position: 1.5 });
    expect(moveCard(columns, "a", "up")).toBeNull();
    expect(moveCard(columns, "c", "down")).toBeNull();
  });
});

describe("positionAt", () => {
  it("fits between two, before the first and after the last", () => {
    const two = [task("a", "todo", 1), task("b", "todo", 2)];
    expect([0, 1, 2, 9].map((index) => positionAt(two, index))).toEqual([0, 1.5, 3, 3]);
    expect(positionAt([], 0)).toBe(1);
  });
});
