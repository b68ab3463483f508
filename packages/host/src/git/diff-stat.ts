import type { DiffStat } from "@skein/contracts";
import type { GitFolder } from "./git-folder.ts";
import { readDiffStat } from "./read-diff.ts";
import { withSnapshot } from "./snapshot.ts";

/** Line and file counts of everything that differs from the base, committed or not, including new files. */
export async function statAgainstBase({ folder, baseCommit }: { folder: GitFolder; baseCommit: string | null }): Promise<DiffStat> {
  return withSnapshot(folder, { baseCommit, objects: "discard" }, ({ base, target }) => readDiffStat(folder, base.tree, target));
}
