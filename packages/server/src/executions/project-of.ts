import type { Attempt, Project } from "@skein/contracts";
import type { StorageReader } from "@skein/engine";

type Reader = Pick<StorageReader, "findTask" | "findProject">;

/** Undefined if the attempt's task or project was deleted. */
export async function findProjectOf(reader: Reader, { taskId }: Pick<Attempt, "taskId">): Promise<Project | undefined> {
  const task = await reader.findTask({ id: taskId });
  return task && reader.findProject({ id: task.projectId });
}

/** Throws if the attempt's task or project was deleted. */
export async function getProjectOf(reader: Reader, attempt: Pick<Attempt, "taskId">): Promise<Project> {
  const project = await findProjectOf(reader, attempt);
  if (project === undefined) throw new Error("The task of this attempt was deleted.");
  return project;
}
