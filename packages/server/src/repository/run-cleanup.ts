import type { Attempt, CleanupOutcome, Project } from "@skein/contracts";
import { formatText } from "@skein/engine";
import type { Host } from "@skein/host";
import type { Logger } from "../logger.ts";
import { findTrustedScripts, toFilesNotice, toScriptEnvironment } from "./prepare-worktree.ts";
import type { RepositoryTrust } from "./repository-trust.ts";

/**
 * Runs the trusted cleanup script; undefined if there is none. An agent has worked in the folder: a script is not run if its files
 * differ from the trusted ones, which the outcome reports. The worktree is removed in any case.
 */
export async function runCleanup(input: {
  host: Host;
  project: Project;
  attempt: Attempt;
  trust: RepositoryTrust;
  logger: Logger;
}): Promise<CleanupOutcome | undefined> {
  const { host, project, attempt, logger } = input;
  const files = host.workspaces;
  if (!(await files.exists(attempt))) return undefined;
  const scripts = await findTrustedScripts(input.trust, project, attempt.directory);
  if (scripts?.cleanup === undefined) return undefined;
  const { cleanup: script, timeoutSeconds, runs } = scripts;
  if (!runs.cleanup.isTrusted) {
    const output = formatText(toFilesNotice("cleanup", runs.cleanup));
    return { attemptId: attempt.id, exitCode: null, timedOut: false, output };
  }
  const {
    exitCode,
    timedOut,
    output: printed,
    startError,
  } = await files.runScript({
    script,
    directory: attempt.directory,
    environment: toScriptEnvironment(host, project),
    timeoutMs: timeoutSeconds * 1000,
    marker: `cleanup-${attempt.id}`,
  });
  const output = startError ?? printed;
  // its output may contain anything: it is shown to the user, not logged
  if (exitCode !== 0) logger.warn("a cleanup script failed", { attemptId: attempt.id, exitCode, timedOut });
  return { attemptId: attempt.id, exitCode, timedOut, output };
}
