import { basename } from "node:path";
import type { ExecutionId, ExecutionOrigin } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import type { AttemptFolder, Host } from "@skein/host";
import { pruneTrustedContents } from "../data-dir/trusted-contents.ts";
import { toAttemptFolder } from "../executions/attempt-folder.ts";
import type { Logger } from "../logger.ts";
import { tidyTerminals } from "../terminals/end-terminals.ts";
import type { Quarantine } from "./quarantine.ts";

/** Folders are created before their attempt or project is stored: a younger folder may belong to one in creation. */
const orphanAfterMs = 10 * 60_000;

/**
 * Removes unreferenced files that a killed server left in the data dir. Keeps what may be somebody's work: worktrees with changes or
 * commits of their own, and logs of executions that the user did not delete.
 */
export async function tidyDataDir(input: {
  storage: Storage;
  host: Host;
  quarantine: Quarantine;
  home: string;
  logger: Logger;
  now(): number;
}): Promise<void> {
  await input.quarantine.sweep();
  await tidySockets(input);
  await tidyTerminals(input);
  await pruneTrustedContents(input.home, { isOld: (changedAt) => input.now() - changedAt >= orphanAfterMs });
  const { origins, isComplete } = await input.quarantine.listOrigins();
  // the folders of a quarantined execution are needed to recover it
  if (!isComplete) return;
  await tidyFolders(input, origins);
}

/** Removes sockets of killed runners. */
async function tidySockets({ storage, host, quarantine }: Parameters<typeof tidyDataDir>[0]): Promise<void> {
  const unused: ExecutionId[] = [];
  for (const id of await host.executions.listSockets()) {
    const execution = await storage.read.findExecution({ id });
    if (!quarantine.isRunning(id) && execution?.status !== "running") unused.push(id);
  }
  await host.executions.removeSockets({ ids: unused });
}

/** Removes folders of attempts and projects that no longer exist. */
async function tidyFolders(
  { storage, host, logger, now }: Parameters<typeof tidyDataDir>[0],
  origins: readonly ExecutionOrigin[],
): Promise<void> {
  const projects = await storage.read.listProjects();
  const attempts: AttemptFolder[] = [];
  for (const project of projects) {
    for (const task of await storage.read.listTasks({ projectId: project.id })) {
      for (const attempt of await storage.read.listAttempts({ taskId: task.id })) attempts.push(toAttemptFolder(attempt, project));
    }
  }
  const orphans = await host.workspaces.removeOrphans({
    projects,
    attempts,
    ids: origins.flatMap(({ attempt, project }) => [attempt.id, project.id]),
    worktreeNames: origins.map(({ attempt }) => basename(attempt.directory)),
    changedAfter: now() - orphanAfterMs,
  });
  for (const { directory, removed } of orphans) {
    logger.info(removed ? "an unreferenced worktree was removed" : "an unreferenced worktree was kept", { directory });
  }
}
