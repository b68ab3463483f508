import type { DiffStat } from "@skein/contracts";
import { withOwnIndex } from "./own-index.ts";
import { parseNumstat } from "./parse-diff.ts";
import { runGit } from "./run-git.ts";

/** How much differs from the base, committed or not, new files included; without the lines themselves. */
export async function statAgainstBase({ directory, baseCommit }: { directory: string; baseCommit: string | null }): Promise<DiffStat> {
  return withOwnIndex(directory, async (own) => {
    await runGit(["add", "--intent-to-add", "--", "."], own);
    const base = baseCommit ?? (await runGit(["hash-object", "-t", "tree", "/dev/null"], own)).trim();
    const compare = ["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--find-renames", "--numstat", "-z", base, "--"];
    const files = parseNumstat(await runGit(compare, own));
    const sum = (field: "additions" | "deletions") => files.reduce((total, file) => total + file[field], 0);
    return { files: files.length, additions: sum("additions"), deletions: sum("deletions") };
  });
}
