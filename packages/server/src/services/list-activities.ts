import type { TaskActivity, TaskId } from "@skein/contracts";
import { applyEventToActivity, type StorageReader } from "@skein/engine";
import type { ServiceContext } from "./service-context.ts";

/** Stored activities of tasks, plus live ones: tools of an agent that commits at its end. */
export async function listActivities(
  reader: StorageReader,
  query: Parameters<StorageReader["listActivities"]>[0],
  { supervisor }: Pick<ServiceContext, "supervisor">,
): Promise<Map<TaskId, TaskActivity>> {
  const activities = await reader.listActivities(query);
  for (const [taskId, stored] of activities) {
    let activity = stored;
    for (const { attemptId, executionId } of stored.open) {
      if (executionId === null) continue;
      for (const message of supervisor.liveMessages(attemptId)) {
        activity = applyEventToActivity(activity, { event: { type: "message:added", taskId, attemptId, message } }) ?? activity;
      }
    }
    activities.set(taskId, activity);
  }
  return activities;
}
