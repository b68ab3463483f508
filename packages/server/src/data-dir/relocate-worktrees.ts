import { realpathSync } from "node:fs";
import { type Attempt, findStorageFault } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import type { Host } from "@skein/host";
import { isElsewhere } from "../is-elsewhere.ts";
import type { Logger } from "../logger.ts";

/** The path of the data dir without symbolic links: the database stores it, to notice that the data dir was moved. */
export const toRealHome = (home: string): string => realpathSync(home);

interface Relocation {
  storage: Storage;
  host: Host;
  home: string;
  logger: Logger;
}

/**
 * Updates the paths of worktrees after the data dir was moved: in the database, in our git dirs and in git's own links. Runs before
 * anything else could miss a folder and recreate it without its uncommitted changes.
 */
export async function relocateWorktrees(input: Relocation): Promise<void> {
  try {
    await relocate(input);
  } catch (error) {
    // full or read-only disk: nothing can be recreated either, and the next start retries
    if (findStorageFault(error) === undefined) throw error;
    input.logger.error("worktrees of a moved data dir could not be updated to their new path", { error });
  }
}

async function relocate({ storage, host, logger, ...input }: Relocation): Promise<void> {
  const home = toRealHome(input.home);
  const instance = await storage.read.findInstance();
  if (instance?.home === home) return;
  const attempts = (await listWorktreeAttempts(storage)).filter((attempt) => !isElsewhere(storage, attempt));
  const moved = new Map((await host.workspaces.relocate(attempts)).map((folder) => [folder.id, folder]));
  if (moved.size === 0) return;
  await storage.transaction(async (tx) => {
    for (const attempt of attempts) {
      const { directory, isCopy } = moved.get(attempt.id) ?? {};
      if (directory === undefined) continue;
      if (isCopy) logger.warn("a worktree also exists at its old path; git keeps using that one", { directory, old: attempt.directory });
      await tx.updateAttempt({ ...attempt, directory });
    }
  });
  logger.info("the data dir was moved: its worktrees were found at their new path", { home, worktrees: moved.size });
}

async function listWorktreeAttempts({ read }: Storage): Promise<Attempt[]> {
  const found: Attempt[] = [];
  for (const task of await read.listTasks()) {
    for (const attempt of await read.listAttempts({ taskId: task.id })) if (attempt.isolation === "worktree") found.push(attempt);
  }
  return found;
}
