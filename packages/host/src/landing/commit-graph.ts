import type { Landing } from "@skein/contracts";
import { type GitFolder, runOwnGit, tryOwnGit } from "../git/git-folder.ts";

export async function countCommits(folder: GitFolder, from: string, to: string): Promise<number> {
  return Number(await runOwnGit(folder, ["rev-list", "--count", `${from}..${to}`]));
}

export async function isAncestor(folder: GitFolder, ancestor: string, commit: string): Promise<boolean> {
  return (await tryOwnGit(folder, ["merge-base", "--is-ancestor", ancestor, commit])) !== null;
}

/** A commit of the attempt's branch up to which nothing is new work, and what the base branch has for it; null: nothing any more. */
export interface SharedPart {
  head: string;
  commit: string | null;
}

/**
 * What git does not see in the history: that a squash commit has the work of the branch, and that commits which were removed from the base
 * branch, by moving it elsewhere, are not the attempt's. Undefined where the history has it all.
 */
export async function findShared(
  folder: GitFolder,
  { landing, baseCommit, head, tip }: { landing: Landing | null; baseCommit: string | null; head: string; tip: string },
): Promise<SharedPart | undefined> {
  const isThere = landing !== null && (await isAncestor(folder, landing.head, head)) && (await isAncestor(folder, landing.commit, tip));
  if (isThere) return { head: landing.head, commit: landing.commit };
  if (baseCommit === null || (await isAncestor(folder, baseCommit, tip))) return undefined;
  // without a commit in common, such as in a shallow clone, nobody knows what was removed
  if ((await tryOwnGit(folder, ["merge-base", head, tip])) === null) return undefined;
  return (await isAncestor(folder, baseCommit, head)) ? { head: baseCommit, commit: null } : undefined;
}
