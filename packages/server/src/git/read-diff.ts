import type { AttemptDiff } from "@skein/contracts";
import { parseNumstat, parsePatches } from "./parse-diff.ts";
import { type GitOptions, runGit } from "./run-git.ts";

const maxPatchBytes = 8 * 1024 * 1024;
const maxFiles = 2000;
const compare = ["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--find-renames"];

/** What `git diff` tells of the given trees (of one: against the working folder), bounded. */
export async function readDiff(trees: readonly string[], options: GitOptions): Promise<Pick<AttemptDiff, "files" | "truncated">> {
  const stats = parseNumstat(await runGit([...compare, "--numstat", "-z", ...trees, "--"], options));
  const patches = await runGit([...compare, "--patch", ...trees, "--"], { ...options, maxBytes: maxPatchBytes }).then(
    parsePatches,
    () => undefined,
  );
  return {
    truncated: patches === undefined || stats.length > maxFiles,
    // both outputs list the files in the same order
    files: stats
      .slice(0, maxFiles)
      .map((stat, i) => ({ ...stat, change: patches?.[i]?.change ?? stat.change, hunks: patches?.[i]?.hunks ?? [] })),
  };
}
