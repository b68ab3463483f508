import type { Delivery, Task, TaskActivity, TaskSummary } from "@skein/contracts";
import { applyEventToActivity } from "@skein/engine";

/** A task as the caches hold it: lists come with what goes on in each, events carry the task alone. */
export type KnownTask = Task & { activity?: TaskActivity } & Pick<TaskSummary, "isShortened">;

/** What says nothing new of an activity is not folded: a growing answer would draw the whole board again with every word. */
export function tellsActivity({ event }: Delivery): boolean {
  switch (event.type) {
    case "message:added":
      return event.message.messageType === "tool_execution";
    case "task:attempt-created":
    case "task:attempt-updated":
    case "execution:started":
    case "execution:completed":
    case "approval:requested":
    case "approval:resolved":
    case "queue:changed":
      return true;
    default:
      return false;
  }
}

/** Undefined: it must be loaded again. The same task when nothing that is shown changes. */
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

/** What came while a list was on its way is in neither: it is kept, and folded into the list when that is there. */
export const recentActivity = {
  add(delivery: Delivery): void {
    if (!tellsActivity(delivery)) return;
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
