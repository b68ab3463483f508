import type { AttemptId, FileSelection, Restored, SafetyRef } from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import { emptyTree, type GitFolder } from "../git/git-folder.ts";
import { withScratch } from "../git/scratch.ts";
import { findMark } from "../git/snapshot.ts";
import { fromBytePath, listDifferences, listEntries, replacePaths, treeOf } from "./folder-tree.ts";
import { findRef, runOperation } from "./git-operation.ts";
import { writeSafetyRef } from "./safety-refs.ts";
import { selectChanges } from "./select-changes.ts";

interface Place {
  folder: GitFolder;
  attemptId: AttemptId;
  baseCommit: string | null;
  now: number;
}

/** What an execution changed, as trees. */
export interface TreeChange {
  before: string;
  after: string;
}

const isMark = (entry: string | undefined): boolean => entry?.startsWith("160000 ") === true && findMark(entry.slice(7)) !== undefined;

/** Takes changes against the base back: whole files, or hunks of them. What the folder held is kept by a safety ref. */
export async function discardChanges(input: Place & { files: readonly FileSelection[] }): Promise<Restored> {
  const { folder, baseCommit, files } = input;
  const base = baseCommit === null ? emptyTree(folder) : await treeOf(folder, baseCommit);
  return changeFiles(input, "discard", (current) => selectChanges(folder, { from: base, to: current, files, take: "others" }));
}

/**
 * Files that executions changed get their content of the tree `to`; all others stay. `changes` are the trees before and after those
 * executions: what they did not change is somebody else's. A file that the tree only marks, such as a very large one, stays, too.
 */
export async function restoreFiles(input: Place & { to: string; changes: readonly TreeChange[] }): Promise<Restored> {
  const { folder, to } = input;
  const touched = new Set<string>();
  for (const { before, after } of input.changes) for (const path of await listDifferences(folder, before, after)) touched.add(path);
  const entries = await listEntries(folder, to);
  for (const path of touched) if (isMark(entries.get(path))) touched.delete(path);
  return changeFiles(input, "restore", (current) =>
    withScratch(folder, ({ index }) => replacePaths(folder, { tree: current, from: to, paths: [...touched], index })),
  );
}

/** Every file becomes what a safety ref kept. */
export async function restoreSafetyRef(input: Place & { ref: string }): Promise<Restored> {
  const commit = await findRef(input.folder, `${input.ref}^{commit}`);
  if (commit === null) throw new ServiceError("not-found", { code: "safety-ref-gone" });
  return changeFiles(input, "restore", () => treeOf(input.folder, commit));
}

async function changeFiles(
  place: Place,
  before: SafetyRef["before"] & ("discard" | "restore"),
  toTarget: (current: string) => Promise<string>,
): Promise<Restored> {
  const { folder, attemptId, baseCommit } = place;
  const { safetyRef, tree } = await writeSafetyRef({ ...place, before });
  const to = await toTarget(tree);
  const paths = (await listDifferences(folder, tree, to)).map(fromBytePath);
  if (paths.length > 0) {
    await runOperation(folder, { kind: before, attemptId, baseCommit, refs: [], files: { from: tree, to }, index: null, landing: null });
  }
  return { paths, safetyRef };
}
