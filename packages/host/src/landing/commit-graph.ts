import type { Landing } from "@skein/contracts";
import { type GitFolder, runOwnGit, tryOwnGit } from "../git/git-folder.ts";

export async function countCommits(folder: GitFolder, from: string, to: string): Promise<number> {
  return Number(await runOwnGit(folder, ["rev-list", "--count", `${from}..${to}`]));
}

export async function isAncestor(folder: GitFolder, ancestor: string, commit: string): Promise<boolean> {
  return (await tryOwnGit(folder, ["merge-base", "--is-ancestor", ancestor, commit])) !== null;
}

/** A commit of the attempt's branch, and the one on the base branch that has the same work. */
export type LandedPart = Pick<Landing, "head" | "commit">;

/**
 * What was landed and still is on both branches: git does not see that a squash commit has the work of the branch. Undefined if the
 * attempt was not landed, or one of the branches was moved to before that.
 */
export async function findLanded(
  folder: GitFolder,
  { landing, head, tip }: { landing: Landing | null; head: string; tip: string },
): Promise<LandedPart | undefined> {
  if (landing === null) return undefined;
  const isThere = (await isAncestor(folder, landing.head, head)) && (await isAncestor(folder, landing.commit, tip));
  return isThere ? { head: landing.head, commit: landing.commit } : undefined;
}
