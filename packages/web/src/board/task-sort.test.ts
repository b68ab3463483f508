import type { Task } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { defaultSort, formatSort, nextSort, parseSort, sortTasks } from "./task-sort.ts";

const task = (id: string, changes: object) =>
  ({ id, title: id, status: "todo", priority: "none", updatedAt: 1, createdAt: 1, ...changes }) as Task;
const tasks = [
  task("Step 10", { priority: "urgent", updatedAt: 1 }),
  task("Step 9", { status: "done", updatedAt: 3 }),
  task("Step 1", { priority: "low", updatedAt: 2 }),
];
const order = (text: string) => sortTasks(tasks, parseSort(text), { locale: "en" }).map(({ id }) => id);

describe("sorting the list", () => {
  it.each([
    ["title-asc", ["Step 1", "Step 9", "Step 10"]],
    ["updated-desc", ["Step 9", "Step 1", "Step 10"]],
    ["priority-asc", ["Step 10", "Step 1", "Step 9"]],
    ["status-desc", ["Step 9", "Step 1", "Step 10"]],
  ])("%s", (text, expected) => expect(order(text)).toEqual(expected));

  it("what was stored is read again, and nonsense is the default", () => {
    expect(parseSort(formatSort({ by: "title", descending: true }))).toEqual({ by: "title", descending: true });
    expect([parseSort("toString-asc"), parseSort(null), parseSort("title")]).toEqual([defaultSort, defaultSort, defaultSort]);
  });

  it("the same column again turns it round", () => {
    expect(nextSort(defaultSort, "updated")).toEqual({ by: "updated", descending: false });
    expect(nextSort(defaultSort, "title")).toEqual({ by: "title", descending: false });
  });
});

it("what runs comes first, whatever the list is sorted by", () => {
  const activity = { executing: true, pendingApprovals: 0, open: [], attempts: 1, lastEnd: null, totals: { usage: {} } };
  const withActive = tasks.map((task) => (task.id === tasks[1]?.id ? ({ ...task, activity } as unknown as Task) : task));
  for (const sort of ["title-asc", "title-desc"])
    expect(sortTasks(withActive, parseSort(sort), { locale: "en" })[0]?.id).toBe(tasks[1]?.id);
});
