import type { TaskId } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import type { KnownTask } from "../api/task-activity.ts";
import { toSidebarGroups } from "./sidebar-groups.ts";

const task = (id: string, status: string, position: number, startedAt?: number) =>
  ({
    ...{ id, status, position, createdAt: 1 },
    activity: {
      ...{ executing: startedAt !== undefined, pendingApprovals: 0, queued: 0, lastEnd: null, totals: { usage: {} } },
      open: startedAt === undefined ? [] : [{ startedAt }],
    },
  }) as unknown as KnownTask;

const toIds = (tasks: KnownTask[], asked: [string, number][] = []) =>
  toSidebarGroups(tasks, new Map(asked as [TaskId, number][])).map(({ name, tasks: listed }) => [name, listed.map(({ id }) => id)]);

describe("toSidebarGroups", () => {
  it("lists what waits, then what runs, the longest first, then the rest by status in the order of the board", () => {
    const tasks = [
      task("todo", "todo", 1),
      task("late", "in-progress", 2, 50),
      task("review", "in-review", 3),
      task("early", "in-progress", 4, 10),
      task("asks", "in-progress", 5, 60),
      task("idle", "in-progress", 6),
      task("done", "done", 7),
    ];
    expect(toIds(tasks, [["asks", 70]])).toEqual([
      ["active", ["asks", "early", "late"]],
      ["in-progress", ["idle"]],
      ["in-review", ["review"]],
      ["todo", ["todo"]],
    ]);
  });

  it("[L1] what waits to start because of a limit comes after what runs", () => {
    const held = task("held", "in-progress", 1, 5);
    Object.assign(held.activity ?? {}, { open: [{ executionId: "exe_1", startedAt: null, wait: { since: 5 } }] });
    expect(toIds([held, task("idle", "in-progress", 2), task("runs", "in-progress", 3, 10)])).toEqual([
      ["active", ["runs", "held"]],
      ["in-progress", ["idle"]],
    ]);
  });

  it("lists thirty of a status and counts the others; of what runs it lists all", () => {
    const many = Array.from({ length: 40 }, (_, at) => task(`t${at}`, "todo", at));
    const running = Array.from({ length: 40 }, (_, at) => task(`r${at}`, "in-progress", at, at + 1));
    const groups = toSidebarGroups([...many, ...running], new Map());
    expect(groups.map(({ name, tasks, hidden }) => [name, tasks.length, hidden])).toEqual([
      ["active", 40, 0],
      ["todo", 30, 10],
    ]);
  });
});
