import { existsSync } from "node:fs";
import type { Attempt, CleanupOutcome, Project } from "@skein/contracts";
import { keepEnd } from "@skein/engine";
import { runScript } from "@skein/host";
import type { Logger } from "../logger.ts";
import { toFilesNotice, toScriptEnvironment } from "./prepare-worktree.ts";
import type { RepositoryTrust } from "./repository-trust.ts";

const keptCharacters = 8000;

/**
 * Undefined when there is no cleanup script that the user trusts. The agent has worked in the folder: a script that runs
 * files which differ from the trusted ones is not run, and the outcome says so. Whatever becomes of it, the worktree goes.
 */
export async function runCleanup(input: {
  project: Project;
  attempt: Attempt;
  trust: RepositoryTrust;
  logger: Logger;
}): Promise<CleanupOutcome | undefined> {
  const { project, attempt, logger } = input;
  if (!existsSync(attempt.directory)) return undefined;
  const known = await input.trust.readScripts(project, attempt.directory).catch(() => undefined);
  if (!known?.isDefinitionTrusted || known.read.kind !== "read" || known.read.scripts.cleanup === undefined) return undefined;
  const { cleanup: script, timeoutSeconds } = known.read.scripts;
  if (!known.runs.cleanup.isTrusted) {
    const output = toFilesNotice("cleanup", known.runs.cleanup);
    return { attemptId: attempt.id, exitCode: null, timedOut: false, output };
  }
  let output = "";
  const { exitCode, timedOut, startError } = await runScript(
    {
      script,
      cwd: attempt.directory,
      environment: toScriptEnvironment(project),
      timeoutMs: timeoutSeconds * 1000,
      marker: `cleanup-${attempt.id}`,
    },
    (_stream, text) => {
      output = keepEnd(output + text, keptCharacters);
    },
  ).ended;
  // what it printed may hold anything: it goes to the user, not into the log
  if (exitCode !== 0) logger.warn("a cleanup script failed", { attemptId: attempt.id, exitCode, timedOut });
  return { attemptId: attempt.id, exitCode, timedOut, output: startError ?? output };
}
