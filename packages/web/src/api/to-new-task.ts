import type { Task } from "@skein/contracts";
import { noTotals, toTaskActivity } from "@skein/engine";
import type { KnownTask } from "./task-activity.ts";

/**
 * The answer to a new task tells nothing of what goes on in it, because nothing does. Events are folded into what is known
 * only: without this, its card would stay silent while an agent works on it.
 */
export function toNewTask(task: Task): KnownTask {
  return { ...task, activity: toTaskActivity({ seq: 0, active: null, attempts: 0, open: [], lastEnd: null, totals: noTotals }) };
}
