import type { Task } from "@skein/contracts";
import { expect, test } from "vitest";
import { holdChanges, withHeldChanges } from "./held-changes.ts";

test("a change stays on screen until it is confirmed, also while the answer to an earlier one arrives", () => {
  const task = { id: "tsk_1", title: "Fix it", status: "todo", priority: "none" } as Task;
  const release = [holdChanges(task.id, { status: "in-progress" }), holdChanges(task.id, { status: "done", title: undefined })];
  expect(withHeldChanges(task)).toEqual({ ...task, status: "done" });
  release[0]?.();
  expect(withHeldChanges({ ...task, status: "in-progress" })).toEqual({ ...task, status: "done" });
  release[1]?.();
  const confirmed = { ...task, status: "done" as const };
  expect(withHeldChanges(confirmed)).toBe(confirmed);
});
