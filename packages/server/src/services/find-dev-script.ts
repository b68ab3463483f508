import type { Project } from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import type { Host } from "@skein/host";
import { toFilesNotice, toScriptEnvironment } from "../repository/prepare-worktree.ts";
import type { RepositoryTrust } from "../repository/repository-trust.ts";

/** The project's dev script, if the user trusts it and the files that it runs in this folder. Rejects with the reason otherwise. */
export async function findDevScript(input: {
  host: Host;
  trust: RepositoryTrust;
  project: Project;
  directory: string;
}): Promise<{ script: string; environment: Record<string, string> }> {
  const known = await input.trust.readScripts(input.project, input.directory);
  const { read, runs } = known;
  if (read.kind === "unusable") throw new ServiceError("conflict", { code: "dev-script-unusable", reason: read.problem });
  if (read.kind === "none" || read.scripts.dev === undefined) throw new ServiceError("not-found", { code: "dev-script-missing" });
  if (!known.isDefinitionTrusted) throw new ServiceError("conflict", { code: "scripts-not-trusted" });
  // the agent may have changed what it runs
  if (!runs.dev.isTrusted) throw new ServiceError("conflict", { code: "dev-script-unusable", reason: toFilesNotice("dev", runs.dev) });
  return { script: read.scripts.dev, environment: toScriptEnvironment(input.host, input.project) };
}
