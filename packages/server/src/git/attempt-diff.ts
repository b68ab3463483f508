import type { AttemptDiff } from "@skein/contracts";
import { withOwnIndex } from "./own-index.ts";
import { parseNumstat, parsePatches } from "./parse-diff.ts";
import { runGit } from "./run-git.ts";

const maxPatchBytes = 8 * 1024 * 1024;
const maxFiles = 2000;

/**
 * Everything that differs from the base, committed or not, new files included. An index of our own is filled for it,
 * so that the agent's and the person's own index stays as it is.
 */
export async function diffAgainstBase(input: { directory: string; baseCommit: string | null }): Promise<AttemptDiff> {
  return withOwnIndex(input.directory, async (own) => {
    await runGit(["add", "--intent-to-add", "--", "."], own);
    const base = input.baseCommit ?? (await runGit(["hash-object", "-t", "tree", "/dev/null"], own)).trim();
    const compare = ["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--find-renames"];
    const stats = parseNumstat(await runGit([...compare, "--numstat", "-z", base, "--"], own));
    const patches = await runGit([...compare, "--patch", base, "--"], { ...own, maxBytes: maxPatchBytes }).then(
      parsePatches,
      () => undefined,
    );
    return {
      baseCommit: input.baseCommit,
      truncated: patches === undefined || stats.length > maxFiles,
      // both outputs list the files in the same order
      files: stats
        .slice(0, maxFiles)
        .map((stat, i) => ({ ...stat, change: patches?.[i]?.change ?? stat.change, hunks: patches?.[i]?.hunks ?? [] })),
    };
  });
}
