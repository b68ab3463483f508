import type { ExecutionId, ForkPoint } from "@skein/contracts";
import { findStartTree, findTrees } from "./execution-trees.ts";
import { emptyTree, type GitFolder, runOwnGit, tryOwnGit } from "./git-folder.ts";
import { withScratch } from "./scratch.ts";
import { findMark } from "./snapshot.ts";

/** What a folder held at a point: its files as a tree, and its last commit, where that was recorded. */
export interface FolderPoint {
  tree: string;
  head: string | null;
}

/**
 * What the folder held before or after an execution; undefined if that was not recorded. `earlier`: its executions before that one, the
 * last of which stands for a start that was not recorded.
 */
export async function findPoint(
  folder: GitFolder,
  { executionId, at, earlier, baseCommit }: ForkPoint & { earlier: readonly ExecutionId[]; baseCommit: string | null },
): Promise<FolderPoint | undefined> {
  const started = at === "start" ? await findStartTree(folder, executionId) : undefined;
  if (started !== undefined) return { tree: started.tree, head: started.head ?? null };
  const wanted = at === "end" ? executionId : earlier.at(-1);
  if (wanted === undefined) {
    const tree = baseCommit === null ? emptyTree(folder) : (await runOwnGit(folder, ["rev-parse", `${baseCommit}^{tree}`])).trim();
    return { tree, head: baseCommit };
  }
  const found = (await findTrees(folder, [wanted])).get(wanted);
  return found && { tree: found.tree, head: found.head ?? null };
}

/** The tree without entries that only mark a file which was not read, such as a very large one. */
export async function withoutMarks(folder: GitFolder, tree: string): Promise<string> {
  const list = await runOwnGit(folder, ["ls-tree", "-r", "-z", "--full-tree", tree], { encoding: "latin1", maxBytes: 512 * 1024 * 1024 });
  const marked = list.split("\0").flatMap((entry) => {
    const [, id = "", path] = /^160000 commit ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
    return path !== undefined && findMark(id) !== undefined ? [path] : [];
  });
  if (marked.length === 0) return tree;
  return withScratch(folder, async ({ index }) => {
    const target = { index };
    await runOwnGit(folder, ["read-tree", tree], { target });
    const input = marked.map((path) => `0 ${"0".repeat(tree.length)}\t${path}\0`).join("");
    await runOwnGit(folder, ["update-index", "-z", "--index-info"], { target, input, encoding: "latin1" });
    return (await runOwnGit(folder, ["write-tree"], { target })).trim();
  });
}

/**
 * Where a fork's branch starts and what its changes are compared with. The commit is the last one of that moment, or the base if it is
 * unknown or gone. The base is the part of its history that the attempt's base has: an update may have moved that since.
 */
export async function findForkCommits(
  folder: GitFolder,
  { head, baseCommit }: { head: string | null; baseCommit: string | null },
): Promise<{ commit: string | null; baseCommit: string | null }> {
  const commit = head === null ? null : await tryOwnGit(folder, ["rev-parse", "--verify", "--quiet", `${head}^{commit}`]);
  if (commit === null || baseCommit === null) return { commit: commit ?? baseCommit, baseCommit };
  return { commit, baseCommit: (await tryOwnGit(folder, ["merge-base", commit, baseCommit])) ?? baseCommit };
}
