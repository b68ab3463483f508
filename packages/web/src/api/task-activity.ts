import type { Delivery, Task, TaskActivity, TaskSummary } from "@skein/contracts";
import { applyEventToActivity } from "@skein/engine";

/** A task in the caches. Lists come with each task's activity; events carry the task alone. */
export type KnownTask = Task & { activity?: TaskActivity } & Pick<TaskSummary, "isShortened">;

/** Whether an event changes an activity. Others are not folded: a growing answer would redraw the whole board with every word. */
export function changesActivity({ event }: Delivery): boolean {
  switch (event.type) {
    case "message:added":
      return event.message.messageType === "tool_execution";
    case "task:attempt-created":
    case "task:attempt-updated":
    case "execution:started":
    case "execution:changed":
    case "execution:completed":
    case "approval:requested":
    case "approval:resolved":
    case "queue:changed":
    case "pull-request:changed":
      return true;
    default:
      return false;
  }
}

/** Undefined: the task must be loaded again. Returns the same object when nothing visible changes. */
export function applyToKnownTask(task: KnownTask, delivery: Delivery): KnownTask | undefined {
  if (!task.activity) return task;
  const activity = applyEventToActivity(task.activity, delivery);
  if (!activity) return undefined;
  return delivery.event.type === "message:added" && isSameTool(task.activity, activity) ? task : { ...task, activity };
}

function isSameTool(before: TaskActivity, after: TaskActivity): boolean {
  return before.runningTool === after.runningTool && toolCount(before) === toolCount(after);
}

function toolCount({ open }: TaskActivity): number {
  return open.reduce((sum, { tools }) => sum + tools.length, 0);
}

const kept = 500;
let recent: Delivery[] = [];

/** Events that arrive while a list is being loaded are in neither: they are kept, and folded into the list once it is loaded. */
export const recentActivity = {
  add(delivery: Delivery): void {
    if (!changesActivity(delivery)) return;
    recent.push(delivery);
    if (recent.length > 2 * kept) recent = recent.slice(-kept);
  },
  clear(): void {
    recent = [];
  },
  applyTo(tasks: KnownTask[]): KnownTask[] {
    const ofTask = Map.groupBy(recent, ({ event, seq }) => ("taskId" in event && seq !== undefined ? event.taskId : undefined));
    return tasks.map((task) =>
      (ofTask.get(task.id) ?? []).reduce<KnownTask>((known, delivery) => applyToKnownTask(known, delivery) ?? known, task),
    );
  },
};
