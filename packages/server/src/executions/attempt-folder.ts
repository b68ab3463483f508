import type { Attempt, Project } from "@skein/contracts";
import type { AttemptFolder } from "@skein/host";
import { getProjectOf, type ProjectSource } from "./get-project-of.ts";

/** Converts an attempt for its host. */
export function toAttemptFolder(attempt: Attempt, { id: projectId, path }: Project): AttemptFolder {
  const { id, isolation, directory, branch, baseCommit } = attempt;
  return { id, isolation, directory, branch, baseCommit, project: { id: projectId, path } };
}

/** Throws if the attempt's task or project was deleted. */
export async function getAttemptFolder(source: ProjectSource, attempt: Attempt): Promise<AttemptFolder> {
  return toAttemptFolder(attempt, await getProjectOf(source, attempt));
}
