import type { ProjectId, SkeinEvent, TaskId } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import type { EventHub } from "../events/event-hub.ts";

/** The project of each task, in memory: events are filtered while they are sent, without waiting for the database. */
export interface TaskProjects {
  find(taskId: TaskId): ProjectId | undefined;
}

/** Follows the events from now on, so that it knows a task before anything else about it is reported. */
export async function openTaskProjects({ storage, hub }: { storage: Storage; hub: EventHub }): Promise<TaskProjects> {
  const projects = new Map<TaskId, ProjectId>();
  const apply = (event: SkeinEvent) => {
    if (event.type === "task:created" || event.type === "task:updated" || event.type === "task:status-changed")
      projects.set(event.taskId, event.task.projectId);
  };
  hub.subscribe(({ event }) => apply(event));
  for (const { taskId, projectId } of await storage.read.listTaskProjects()) projects.set(taskId, projectId);
  return { find: (taskId) => projects.get(taskId) };
}
