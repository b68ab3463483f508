import type { AttemptDiff } from "@skein/contracts";
import { decodeBytes } from "./byte-path.ts";
import { listExcluded } from "./excluded-files.ts";
import type { GitFolder } from "./git-folder.ts";
import { readDiff } from "./read-diff.ts";
import { type SnapshotOptions, withSnapshot } from "./snapshot.ts";

/**
 * Everything that differs from the base, committed or not, including new files. Ignored files and nested repositories are listed by
 * name only.
 */
export async function diffAgainstBase({ folder, baseCommit }: { folder: GitFolder; baseCommit: string | null }): Promise<AttemptDiff> {
  return diffFolder(folder, { baseCommit });
}

/** @param input.from a tree to compare with instead of the base */
export async function diffFolder(
  folder: GitFolder,
  { baseCommit, from }: Pick<SnapshotOptions, "baseCommit"> & { from?: string },
): Promise<AttemptDiff> {
  return withSnapshot(folder, { baseCommit, objects: "discard" }, async ({ base, nested, target }) => {
    const [diff, excluded] = await Promise.all([
      readDiff(folder, ["diff-index", "--cached"], [from ?? base.tree], target),
      listExcluded(folder, target),
    ]);
    return { baseCommit, ...diff, excluded, nested: nested.map((path) => decodeBytes(path).text).toSorted() };
  });
}
