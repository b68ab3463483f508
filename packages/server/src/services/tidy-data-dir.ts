import { readdir, unlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { type ExecutionOrigin, executionIdSchema } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import type { AttemptFolder, Host } from "@skein/host";
import { toAttemptFolder } from "../executions/attempt-folder.ts";
import type { Logger } from "../logger.ts";
import { pruneTrustedContents } from "../repository/trusted-contents.ts";
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
  await pruneTrustedContents(input.home, { isOld: (changedAt) => input.now() - changedAt >= orphanAfterMs });
  const { origins, isComplete } = await input.quarantine.listOrigins();
  // the folders of a quarantined execution are needed to recover it
  if (!isComplete) return;
  await tidyFolders(input, origins);
}

/** Removes sockets of killed runners. */
async function tidySockets({ storage, quarantine, home }: Parameters<typeof tidyDataDir>[0]): Promise<void> {
  for (const name of await list(join(home, "run"))) {
    const { data: id } = executionIdSchema.safeParse(name.replace(/\.sock$/, ""));
    const execution = id && (await storage.read.findExecution({ id }));
    if (id !== undefined && !quarantine.isRunning(id) && execution?.status !== "running")
      await unlink(join(home, "run", name)).catch(() => {});
  }
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

async function list(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
