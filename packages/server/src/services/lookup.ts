import type { Attempt, AttemptId, ProblemText, Project, ProjectId, Task, TaskId } from "@skein/contracts";
import { ServiceError, type StorageReader } from "@skein/engine";

/** Throws a `ServiceError` if the project does not exist. */
export async function getProject(reader: StorageReader, id: ProjectId): Promise<Project> {
  return (await reader.findProject({ id })) ?? missing("project", id);
}

/** Throws a `ServiceError` if the task does not exist. */
export async function getTask(reader: StorageReader, id: TaskId): Promise<Task> {
  return (await reader.findTask({ id })) ?? missing("task", id);
}

/** Throws a `ServiceError` if the attempt does not exist. */
export async function getAttempt(reader: StorageReader, id: AttemptId): Promise<Attempt> {
  return (await reader.findAttempt({ id })) ?? missing("attempt", id);
}

type Missing = Extract<ProblemText, { code: `${string}-not-found`; id: string }>["code"];
type Kind = Missing extends `${infer Name}-not-found` ? Name : never;

/** Throws the `ServiceError` for a missing subject. */
export function missing(kind: Kind, id: string): never {
  // the compiler compares no more than 25 members of a union one by one
  throw new ServiceError("not-found", { code: `${kind}-not-found`, id } as ProblemText);
}
