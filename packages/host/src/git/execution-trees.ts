import type { AttemptDiff, ExecutionId } from "@skein/contracts";
import { diffFolder } from "./attempt-diff.ts";
import { hasChangedSince } from "./changed-since.ts";
import { emptyTree, type GitFolder, runOwnGit } from "./git-folder.ts";
import { findTree, type RecordedTree, rememberTree } from "./own-git-dir.ts";
import { readDiff } from "./read-diff.ts";
import { withSnapshot } from "./snapshot.ts";
import { resolveHead } from "./worktrees.ts";

/*
 * The content of a folder at the end of an execution, stored as a tree in the repository's object database. A ref protects it from
 * garbage collection. The ref names a tree, not a commit, so no log shows it and no push includes it. The tree id is also stored in our
 * own git dir, because an agent can write the repository's refs.
 */

const prefix = "refs/skein/executions/";
/** Trees that were recorded late, after files had changed again. */
const latePrefix = "refs/skein/late-executions/";

const maxNames = 200;

/**
 * Records the folder as the tree of an execution. The index of agent and user is not modified. Ignored files are left out. Pass
 * `endedAt` (epoch ms) for an execution that ended earlier: if files changed after it, the tree is marked as approximate.
 */
export async function recordExecutionTree(input: {
  folder: GitFolder;
  baseCommit: string | null;
  executionId: ExecutionId;
  endedAt?: number;
}): Promise<void> {
  const { folder, baseCommit, executionId, endedAt } = input;
  const isApproximate = endedAt !== undefined && (await hasChangedSince(folder, baseCommit, endedAt));
  const tree = await withSnapshot(folder, { baseCommit, objects: "keep" }, async ({ target }) =>
    (await runOwnGit(folder, ["write-tree"], { target })).trim(),
  );
  await runOwnGit(folder, ["update-ref", `${isApproximate ? latePrefix : prefix}${executionId}`, tree]);
  await rememberTree(folder, executionId, { tree, isExact: !isApproximate, head: await resolveHead(folder) });
}

export async function hasExecutionTree(folder: GitFolder, executionId: ExecutionId): Promise<boolean> {
  return (await findTrees(folder, [executionId])).has(executionId);
}

/**
 * What changed between the ends of two executions, or up to the current folder if the second end is not recorded. `approximate` if
 * other changes may be included: one of the two ends is missing or was recorded late.
 */
export async function diffExecutionTrees(input: {
  folder: GitFolder;
  /** Earlier executions. The newest recorded one is used, or the base if none is recorded. */
  before: readonly ExecutionId[];
  executionId: ExecutionId;
  /** A running execution is compared with the current folder. */
  isRunning: boolean;
  baseCommit: string | null;
}): Promise<AttemptDiff> {
  const { folder, baseCommit, before } = input;
  const trees = await findTrees(folder, [...before, input.executionId]);
  const newest = before.findLast((id) => trees.has(id));
  const start = newest && trees.get(newest)?.tree;
  const end = trees.get(input.executionId);
  const isExact = newest === before.at(-1) && (end === undefined ? input.isRunning : end.isExact);
  const known = { baseCommit, ...(isExact ? {} : { approximate: true }) };
  if (end === undefined) {
    return { ...(await diffFolder(folder, { baseCommit, ...(start === undefined ? {} : { from: start }) })), ...known };
  }
  const from = start ?? (baseCommit === null ? emptyTree(folder) : `${baseCommit}^{tree}`);
  return { ...(await readDiff(folder, ["diff-tree", "-r"], [from, end.tree])), ...known };
}

export async function deleteExecutionTrees(repository: GitFolder, ids: readonly ExecutionId[]): Promise<void> {
  const found = await findRefs(repository, ids);
  const commands = [...found.values()].map(({ ref }) => `delete ${ref}\n`);
  if (commands.length > 0) await runOwnGit(repository, ["update-ref", "--stdin"], { input: commands.join("") });
}

/** The recorded trees. Our own records take precedence; refs are read only for executions that an earlier release recorded. */
export async function findTrees(folder: GitFolder, ids: readonly ExecutionId[]): Promise<Map<ExecutionId, RecordedTree>> {
  const found = new Map<ExecutionId, RecordedTree>();
  for (const id of ids) {
    const known = await findTree(folder, id);
    if (known !== undefined) found.set(id, known);
  }
  const rest = ids.filter((id) => !found.has(id));
  return new Map([...found, ...(await findRefs(folder, rest))]);
}

/** One git call for any number of ids. */
async function findRefs(folder: GitFolder, ids: readonly ExecutionId[]): Promise<Map<ExecutionId, RecordedTree & { ref: string }>> {
  const found = new Map<ExecutionId, RecordedTree & { ref: string }>();
  if (ids.length === 0) return found;
  const wanted = new Map<string, ExecutionId>(ids.flatMap((id) => [[`${latePrefix}${id}`, id] as const, [`${prefix}${id}`, id] as const]));
  const format = "--format=%(objecttype) %(objectname) %(refname)";
  // for many ids, list all refs: git compares each ref with each pattern
  const names = wanted.size > maxNames ? [latePrefix, prefix] : wanted.keys();
  // sorted by name: an exact tree comes before a late one of the same execution
  const output = await runOwnGit(folder, ["for-each-ref", format, ...names]);
  for (const line of output.split("\n")) {
    const [type, tree = "", ref = ""] = line.split(" ");
    const id = wanted.get(ref);
    if (type === "tree" && id !== undefined && !found.has(id)) found.set(id, { tree, ref, isExact: ref.startsWith(prefix) });
  }
  return found;
}
