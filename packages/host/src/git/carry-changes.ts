import { chmod, copyFile } from "node:fs/promises";
import { join } from "node:path";
import { type GitFolder, runOwnGit } from "./git-folder.ts";
import { checkoutTimeoutMs } from "./own-git-dir.ts";
import { withSnapshot } from "./snapshot.ts";

/**
 * Brings what differs from the last commit in one worktree into another that was just checked out at that commit: changed, new,
 * deleted and renamed files, as changes in no commit. Ignored files, submodules and nested repositories stay behind. The first
 * one, its index included, is not touched.
 */
export async function carryChanges(input: {
  from: GitFolder;
  to: GitFolder;
  /** The last commit of both. */
  commit: string;
  baseCommit: string | null;
}): Promise<void> {
  const { from, to, commit, baseCommit } = input;
  const tree = await withSnapshot(from, { baseCommit, objects: "keep", files: "all" }, async ({ target }) =>
    (await runOwnGit(from, ["write-tree"], { target })).trim(),
  );
  // our index of the new one stands for the base: this one has the files as they were just checked out
  await copyFile(join(to.gitDir, "index"), join(to.ownDir, "index"));
  await runOwnGit(to, ["read-tree", "-m", "-u", commit, tree], { timeoutMs: checkoutTimeoutMs });
  if (baseCommit !== null) await runOwnGit(to, ["read-tree", "-m", baseCommit]);
  await chmod(join(to.ownDir, "index"), 0o600);
}
