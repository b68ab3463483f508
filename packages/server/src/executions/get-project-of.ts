import type { Attempt, Project } from "@skein/contracts";
import type { ExecutionContext } from "./execution-context.ts";

/** Throws when the attempt's task or project was deleted. */
export async function getProjectOf({ storage }: Pick<ExecutionContext, "storage">, { taskId }: Pick<Attempt, "taskId">): Promise<Project> {
  const task = await storage.read.findTask({ id: taskId });
  const project = task && (await storage.read.findProject({ id: task.projectId }));
  if (project === undefined) throw new Error("The task of this attempt was deleted.");
  return project;
}
