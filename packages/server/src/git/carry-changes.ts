import { withOwnIndex } from "./own-index.ts";
import { runGit } from "./run-git.ts";

/**
 * Brings what differs from the last commit in one worktree into another that stands at the same commit: changed, new, deleted
 * and renamed files, as changes in no commit. Ignored files and submodules stay behind. The first one, its index included, is
 * not touched: the tree is made in an index of our own.
 */
export async function carryChanges({ from, to }: { from: string; to: string }): Promise<void> {
  const tree = await withOwnIndex(from, async (own) => {
    await runGit(["add", "--all", "--", "."], own);
    return (await runGit(["write-tree"], own)).trim();
  });
  await runGit(["read-tree", "-m", "-u", "HEAD", tree], { cwd: to });
  await runGit(["reset", "--quiet", "--mixed", "HEAD"], { cwd: to });
}
