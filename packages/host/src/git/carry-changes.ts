import { chmod, copyFile } from "node:fs/promises";
import { join } from "node:path";
import { type GitFolder, runOwnGit } from "./git-folder.ts";
import { checkoutTimeoutMs } from "./own-git-dir.ts";
import { withSnapshot } from "./snapshot.ts";

/**
 * Copies the uncommitted changes of one worktree to another that was just checked out at the same commit: changed, new, deleted and
 * renamed files, left uncommitted. Ignored files, submodules and nested repositories are not copied. The source, including its index,
 * is not modified.
 */
export async function carryChanges(input: {
  from: GitFolder;
  to: GitFolder;
  /** The last commit of both worktrees. */
  commit: string;
  baseCommit: string | null;
}): Promise<void> {
  const { from, baseCommit } = input;
  const tree = await withSnapshot(from, { baseCommit, objects: "keep", files: "all" }, async ({ target }) =>
    (await runOwnGit(from, ["write-tree"], { target })).trim(),
  );
  await carryTree({ ...input, tree });
}

/** Changes the files of a worktree that was just checked out at `commit` to those of a tree, left uncommitted. */
export async function carryTree(input: { to: GitFolder; commit: string; tree: string; baseCommit: string | null }): Promise<void> {
  const { to, commit, tree, baseCommit } = input;
  // our index of the new worktree represents the base, so this is done with the index of the fresh checkout
  await copyFile(join(to.gitDir, "index"), join(to.ownDir, "index"));
  await runOwnGit(to, ["read-tree", "-m", "-u", commit, tree], { timeoutMs: checkoutTimeoutMs });
  if (baseCommit !== null) await runOwnGit(to, ["read-tree", "-m", baseCommit]);
  await chmod(join(to.ownDir, "index"), 0o600);
}
