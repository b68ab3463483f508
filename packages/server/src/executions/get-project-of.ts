import type { Attempt, Project } from "@skein/contracts";
import type { StorageReader } from "@skein/engine";

/** Where projects and tasks are looked up. */
export interface ProjectSource {
  storage: { read: Pick<StorageReader, "findTask" | "findProject"> };
}

/** Throws if the attempt's task or project was deleted. */
export async function getProjectOf({ storage }: ProjectSource, { taskId }: Pick<Attempt, "taskId">): Promise<Project> {
  const task = await storage.read.findTask({ id: taskId });
  const project = task && (await storage.read.findProject({ id: task.projectId }));
  if (project === undefined) throw new Error("The task of this attempt was deleted.");
  return project;
}
