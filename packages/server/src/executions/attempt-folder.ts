import type { Attempt, Project } from "@skein/contracts";
import type { AttemptFolder } from "@skein/host";
import type { HostedContext } from "./execution-context.ts";
import { getProjectOf } from "./project-of.ts";

/** Converts an attempt for its host. */
export function toAttemptFolder(attempt: Attempt, { id: projectId, path }: Project): AttemptFolder {
  const { id, isolation, directory, branch, baseCommit, hostId } = attempt;
  const folder = { id, isolation, directory, branch, baseCommit, project: { id: projectId, path } };
  return hostId ? { ...folder, hostId } : folder;
}

/** Throws if the attempt's task or project was deleted. */
export async function getAttemptFolder({ storage }: Pick<HostedContext, "storage">, attempt: Attempt): Promise<AttemptFolder> {
  return toAttemptFolder(attempt, await getProjectOf(storage.read, attempt));
}
