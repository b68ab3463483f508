import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Attempt, findStorageFault } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import { moveOwnGitDir, relinkWorktree } from "@skein/host";
import type { Logger } from "../logger.ts";

/**
 * A data dir that was moved has its worktrees with it, but the database, our git dirs and git itself name the old place. All of
 * them are changed to the new one, before anything else looks for a folder and makes it anew without what was not committed.
 */
export async function relocateWorktrees(input: { storage: Storage; home: string; logger: Logger }): Promise<void> {
  try {
    await relocate(input);
  } catch (error) {
    // a full or read-only disk: nothing can be made anew either, and the next start tries again
    if (findStorageFault(error) === undefined) throw error;
    input.logger.error("worktrees of a moved data dir could not be updated to their new path", { error });
  }
}

async function relocate({ storage, logger, ...input }: { storage: Storage; home: string; logger: Logger }): Promise<void> {
  const home = realpathSync(input.home);
  const instance = await storage.read.findInstance();
  if (instance?.home === home) return;
  const root = join(home, "worktrees");
  const moved: Attempt[] = [];
  for (const attempt of await listWorktreeAttempts(storage)) {
    const directory = join(root, basename(attempt.directory));
    if (dirname(attempt.directory) === root || !existsSync(directory)) continue;
    const gitDir = await moveOwnGitDir(join(home, "git", attempt.id), directory);
    // a copy of a data dir: git knows one place of a worktree, which stays with the data dir that it was copied from
    const isCopy = existsSync(attempt.directory);
    if (isCopy) logger.warn("a worktree also exists at its old path; git keeps using that one", { directory, old: attempt.directory });
    else if (gitDir !== undefined) await relinkWorktree({ gitDir, from: attempt.directory, to: directory });
    moved.push({ ...attempt, directory });
  }
  if (moved.length === 0) return;
  await storage.transaction(async (tx) => {
    for (const attempt of moved) await tx.updateAttempt(attempt);
  });
  logger.info("the data dir was moved: its worktrees were found at their new path", { home, worktrees: moved.length });
}

async function listWorktreeAttempts({ read }: Storage): Promise<Attempt[]> {
  const found: Attempt[] = [];
  for (const task of await read.listTasks()) {
    for (const attempt of await read.listAttempts({ taskId: task.id })) if (attempt.isolation === "worktree") found.push(attempt);
  }
  return found;
}
