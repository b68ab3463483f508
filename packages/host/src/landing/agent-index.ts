import { existsSync } from "node:fs";
import { copyFile, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type GitFolder, runOwnGit } from "../git/git-folder.ts";
import { checkoutTimeoutMs } from "../git/own-git-dir.ts";
import { listDifferences, listEntries, treeOf } from "./folder-tree.ts";
import { GitObstacleError } from "./git-obstacle.ts";
import { toShellCommand } from "./shell-command.ts";

/** Throws where another git command holds the index of the folder. */
export function assertUnlocked({ gitDir }: GitFolder): void {
  const path = join(gitDir, "index.lock");
  if (existsSync(path)) throw new GitObstacleError({ code: "index-locked", path }, { command: toShellCommand("rm", path) });
}

/**
 * The index that the user's and the agent's git read becomes that of a commit, under git's own lock. With `from`, only what differs
 * between the two commits is changed in it: the rest stays staged as it was.
 */
export async function writeAgentIndex(folder: GitFolder, commit: string, { from }: { from?: string | null } = {}): Promise<void> {
  const index = join(folder.gitDir, "index");
  const lock = `${index}.lock`;
  await takeLock(folder, lock);
  const draft = join(folder.gitDir, `index.skein-${process.pid}`);
  const target = { index: draft };
  try {
    await rm(draft, { force: true });
    if (from === undefined || from === null || !existsSync(index)) await runOwnGit(folder, ["read-tree", commit], { target });
    else {
      await copyFile(index, draft);
      await changeEntries(folder, draft, from, commit);
    }
    await runOwnGit(folder, ["update-index", "-q", "--refresh"], { target, timeoutMs: checkoutTimeoutMs }).catch(() => {
      // it fails when files differ, having written what it found
    });
    await rename(draft, index);
  } finally {
    await rm(lock, { force: true });
    await rm(draft, { force: true });
  }
}

/** Git's own locks hold an index. */
const ownLock = "skein\n";

/** Removes a lock that a process of ours left behind when it was killed. */
export async function releaseOwnLock({ gitDir }: GitFolder): Promise<void> {
  const lock = join(gitDir, "index.lock");
  if ((await readFile(lock, "latin1").catch(() => "")) === ownLock) await rm(lock, { force: true });
}

async function takeLock(folder: GitFolder, lock: string): Promise<void> {
  try {
    await writeFile(lock, ownLock, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") assertUnlocked(folder);
    throw error;
  }
}

async function changeEntries(folder: GitFolder, index: string, from: string, to: string): Promise<void> {
  const [before, after] = [await treeOf(folder, from), await treeOf(folder, to)];
  const entries = await listEntries(folder, after);
  const none = "0".repeat(after.length);
  const lines = (await listDifferences(folder, before, after)).map((path) => `${entries.get(path) ?? `0 ${none}`}\t${path}\0`);
  await runOwnGit(folder, ["update-index", "--replace", "-z", "--index-info"], {
    target: { index },
    input: lines.join(""),
    encoding: "latin1",
  });
}
