import type { Attempt, DiffStat } from "@skein/contracts";
import { formatFileCount } from "../format/diff-text.ts";

/** Where the changes of an attempt are and how to see them; undefined when it has changed nothing. */
export function describeWork({ branch, directory }: Attempt, { files, uncommitted = 0 }: DiffStat, shortId: string): string | undefined {
  if (files === 0) return undefined;
  const place = branch === null ? directory : `the worktree ${directory}`;
  const where =
    uncommitted > 0
      ? `Uncommitted changes in ${place}: ${formatFileCount(uncommitted)}.`
      : `Committed on ${branch === null ? `the current branch in ${directory}` : `branch ${branch}`}: ${formatFileCount(files)} changed.`;
  return `${where}\nSee them: skein diff ${shortId}`;
}
