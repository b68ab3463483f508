import { type Attempt, type AttemptId, type Project, type ProjectId, ServiceError, type Task, type TaskId } from "@skein/contracts";
import type { StorageReader } from "@skein/engine";

export async function getProject(reader: StorageReader, id: ProjectId): Promise<Project> {
  return (await reader.findProject({ id })) ?? missing("project", id);
}

export async function getTask(reader: StorageReader, id: TaskId): Promise<Task> {
  return (await reader.findTask({ id })) ?? missing("task", id);
}

export async function getAttempt(reader: StorageReader, id: AttemptId): Promise<Attempt> {
  return (await reader.findAttempt({ id })) ?? missing("attempt", id);
}

export function missing(kind: string, id: string): never {
  throw new ServiceError("not-found", `${kind.replaceAll(" ", "-")}-not-found`, `There is no ${kind} ${id}. It may have been deleted.`);
}
