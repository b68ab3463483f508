import { existsSync } from "node:fs";
import type { Attempt, CleanupOutcome, Project } from "@skein/contracts";
import { keepEnd } from "@skein/engine";
import type { Logger } from "../logger.ts";
import { runScript } from "../runner/run-script.ts";
import { toScriptEnvironment } from "./prepare-worktree.ts";
import type { RepositoryTrust } from "./repository-trust.ts";

const keptCharacters = 8000;

/** Undefined when there is no cleanup script that the person trusts. Whatever becomes of it, the worktree goes. */
export async function runCleanup(input: {
  project: Project;
  attempt: Attempt;
  trust: RepositoryTrust;
  logger: Logger;
}): Promise<CleanupOutcome | undefined> {
  const { project, attempt, logger } = input;
  if (!existsSync(attempt.directory)) return undefined;
  const known = await input.trust.readScripts(project).catch(() => undefined);
  if (known?.trust !== "trusted" || known.read.kind !== "read" || known.read.scripts.cleanup === undefined) return undefined;
  const { cleanup: script, timeoutSeconds } = known.read.scripts;
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
  // what it printed may hold anything: it goes to the person, not into the log
  if (exitCode !== 0) logger.warn("a cleanup script failed", { attemptId: attempt.id, exitCode, timedOut });
  return { attemptId: attempt.id, exitCode, timedOut, output: startError ?? output };
}
