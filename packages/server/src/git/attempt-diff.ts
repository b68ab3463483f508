import type { AttemptDiff } from "@skein/contracts";
import { withOwnIndex } from "./own-index.ts";
import { readDiff } from "./read-diff.ts";
import { runGit } from "./run-git.ts";

/**
 * Everything that differs from the base, committed or not, new files included. An index of our own is filled for it,
 * so that the agent's and the person's own index stays as it is.
 */
export async function diffAgainstBase(input: { directory: string; baseCommit: string | null }): Promise<AttemptDiff> {
  return withOwnIndex(input.directory, async (own) => {
    await runGit(["add", "--intent-to-add", "--", "."], own);
    const base = input.baseCommit ?? (await runGit(["hash-object", "-t", "tree", "/dev/null"], own)).trim();
    return { baseCommit: input.baseCommit, ...(await readDiff([base], own)) };
  });
}
