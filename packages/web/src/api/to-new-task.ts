import type { Task } from "@skein/contracts";
import { noTotals, toTaskActivity } from "@skein/engine";
import type { KnownTask } from "./task-activity.ts";

/**
 * Adds an empty activity to a task that was just created: the answer has none. Events only update tasks that have one, so without it
 * the card would show nothing while an agent works.
 */
export function toNewTask(task: Task): KnownTask {
  return {
    ...task,
    activity: toTaskActivity({
      seq: 0,
      active: null,
      attempts: 0,
      open: [],
      pullRequests: [],
      checks: [],
      lastEnd: null,
      totals: noTotals,
    }),
  };
}
