import type { Attempt, MessageText, NoticeText, Project } from "@skein/contracts";
import type { Host, Preamble, RepositoryFiles } from "@skein/host";
import { TrustFileError } from "../data-dir/trust-file.ts";
import { nameFiles } from "./covered-files.ts";
import type { RepositoryTrust, ScriptRun } from "./repository-trust.ts";

/** Additional environment variables of a project's scripts. */
export function toScriptEnvironment({ environment }: Host, project: Project): Record<string, string> {
  return { ...environment, SKEIN_PROJECT_DIRECTORY: project.path };
}

/** The scripts of a project, if the user trusts their definition. `runs`: whether their files in a folder are trusted, too. */
export async function findTrustedScripts(trust: RepositoryTrust, project: Project, directory: string) {
  const known = await trust.readScripts(project, directory).catch(() => undefined);
  return known?.isDefinitionTrusted && known.read.kind === "read" ? { ...known.read.scripts, runs: known.runs } : undefined;
}

/** Copies files to a new worktree. A failure is reported by the first execution, which retries. */
export async function copyTrustedFiles(input: {
  files: RepositoryFiles;
  project: Project;
  attempt: Attempt;
  trust: RepositoryTrust;
}): Promise<void> {
  const { project, attempt } = input;
  if (attempt.isolation === "in-place") return;
  const scripts = await findTrustedScripts(input.trust, project, attempt.directory);
  if (scripts === undefined) return;
  await input.files.copyFiles({ from: project.path, to: attempt.directory, patterns: scripts.copy }).catch(() => undefined);
}

/**
 * Until a worktree has been set up, each execution of its attempt does it first: files are copied here, the setup script is run by the
 * runner. So a setup that failed or was killed is repeated, and scripts that the user trusts later take effect with the next message. A
 * setup script does not run if its files in this folder differ from the trusted ones.
 */
export async function prepareWorktree(input: {
  host: Host;
  project: Project;
  attempt: Attempt;
  trust: RepositoryTrust;
  isFirstExecution: boolean;
}): Promise<Preamble> {
  const { host, project, attempt } = input;
  const files = host.workspaces;
  if (attempt.isolation === "in-place" || (await files.isSetUp({ id: attempt.id }))) return { notices: [] };
  const known = await input.trust.readScripts(project, attempt.directory).catch((error: unknown) => {
    if (error instanceof TrustFileError) return error;
    throw error;
  });
  const notifyOnce = (...notices: MessageText[]): Preamble => ({ notices: input.isFirstExecution ? notices : [] });
  if (known instanceof TrustFileError) return notifyOnce({ code: "trust-unreadable", path: known.path });
  const { read, trust, isDefinitionTrusted, runs } = known;
  if (read.kind === "none") return { notices: [] };
  if (read.kind === "unusable") return notifyOnce(read.problem);
  if (!isDefinitionTrusted) return notifyOnce(...toTrustNotice(read.scripts, trust === "none" ? "none" : "changed"));
  const { setup, timeoutSeconds, copy } = read.scripts;
  const { problems: notices } = await files.copyFiles({ from: project.path, to: attempt.directory, patterns: copy });
  // an agent may have changed the files that the script runs
  if (setup !== undefined && !runs.setup.isTrusted) return { notices: [...notices, toFilesNotice("setup", runs.setup)] };
  if (setup === undefined) {
    await files.finishSetup({ id: attempt.id });
    return { notices };
  }
  const { doneFile } = await files.beginSetup({ id: attempt.id });
  return { notices, setup: { script: setup, environment: toScriptEnvironment(host, project), timeoutMs: timeoutSeconds * 1000, doneFile } };
}

function toTrustNotice({ setup, copy }: { setup?: string | undefined; copy: readonly string[] }, trust: "none" | "changed"): NoticeText[] {
  if (setup === undefined && copy.length === 0) return [];
  const state = trust === "none" ? "untrusted" : "changed";
  return [{ code: "scripts-not-used", what: setup === undefined ? "copy" : "setup", state }];
}

/** Why a script with a trusted definition does not run in a folder. */
export function toFilesNotice(script: "setup" | "cleanup" | "check" | "dev", { different, problem }: ScriptRun): NoticeText {
  if (problem !== undefined) return { code: "script-not-run", script, reason: problem };
  return { code: "script-files-changed", script, ...nameFiles(different) };
}
