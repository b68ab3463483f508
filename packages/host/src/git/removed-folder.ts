import { existsSync } from "node:fs";
import type { Attempt, AttemptDiff } from "@skein/contracts";
import { emptyTree, type GitFolder, tryOwnGit } from "./git-folder.ts";
import { readDiff } from "./read-diff.ts";

/** The branch of a worktree that was removed. It has all of its content: only a folder without uncommitted changes is removed. */
export interface RemovedFolder {
  /** The project's folder, with our git dir of the attempt. */
  folder: GitFolder;
  branch: string;
  head: string;
}

/** Undefined if the folder is there, or neither folder nor branch. */
export async function findRemoved(
  folder: GitFolder,
  { branch, isolation, project }: Pick<Attempt, "branch" | "isolation"> & { project: { path: string } },
): Promise<RemovedFolder | undefined> {
  if (isolation !== "worktree" || branch === null || existsSync(folder.directory) || !existsSync(project.path)) return undefined;
  const elsewhere = { ...folder, directory: project.path };
  const head = await tryOwnGit(elsewhere, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}^{commit}`]);
  return head === null ? undefined : { folder: elsewhere, branch, head };
}

/** What the branch changed since the base. */
export async function diffRemoved({ folder, head }: RemovedFolder, baseCommit: string | null): Promise<AttemptDiff> {
  const from = baseCommit === null ? emptyTree(folder) : `${baseCommit}^{tree}`;
  return { baseCommit, ...(await readDiff(folder, ["diff-tree", "-r"], [from, `${head}^{tree}`])) };
}
