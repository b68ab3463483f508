import type { Project, ProjectId, TrustPlace } from "@skein/contracts";
import type { StorageReader } from "@skein/engine";
import { getAttempt, getProject, getTask, missing } from "./lookup.ts";

/** The folder to inspect: that of an attempt of this project, or the project's own. */
export async function findTrustPlace(
  reader: StorageReader,
  projectId: ProjectId,
  { attemptId }: TrustPlace = {},
): Promise<{ project: Project; directory: string }> {
  const project = await getProject(reader, projectId);
  if (attemptId === undefined) return { project, directory: project.path };
  const attempt = await getAttempt(reader, attemptId);
  if ((await getTask(reader, attempt.taskId)).projectId !== projectId) missing("attempt", attemptId);
  return { project, directory: attempt.directory };
}
