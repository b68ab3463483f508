import type { AttemptDiff, ExecutionId } from "@skein/contracts";
import { diffFolder } from "./attempt-diff.ts";
import { hasChangedSince } from "./changed-since.ts";
import { emptyTree, type GitFolder, runOwnGit } from "./git-folder.ts";
import { findTree, type RecordedTree, rememberTree } from "./own-git-dir.ts";
import { readDiff } from "./read-diff.ts";
import { withSnapshot } from "./snapshot.ts";

/*
 * What a folder held when an execution ended, as a tree of the repository's own objects. A ref keeps it from being
 * collected; it names a tree, not a commit, so that no log shows it and no push takes it along. Which tree it is, is remembered
 * in our own git dir: an agent can write the repository's refs.
 */

const prefix = "refs/skein/executions/";
/** Those that were recorded so late that somebody had changed files since. */
const latePrefix = "refs/skein/late-executions/";

const maxNames = 200;

/**
 * The index of the agent and of the user stays as it is. Excluded files are left out. `endedAt` (epoch ms) is for one that
 * ended a while ago: whatever changed after it is in the tree, too, and the tree then counts as approximate.
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
  await rememberTree(folder, executionId, { tree, isExact: !isApproximate });
}

export async function hasExecutionTree(folder: GitFolder, executionId: ExecutionId): Promise<boolean> {
  return (await findTrees(folder, [executionId])).has(executionId);
}

/**
 * What changed from the end of one execution to the end of another; to what the folder holds now where that is not recorded.
 * `approximate` where changes of others may be among these: an end on either side is missing, or was recorded too late.
 */
export async function diffExecutionTrees(input: {
  folder: GitFolder;
  /** The newest that is recorded counts; the base where none is. */
  before: readonly ExecutionId[];
  executionId: ExecutionId;
  /** One that runs changes the folder until now. */
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

/** Those that are recorded. What we remember counts; refs only for those that an earlier release recorded. */
async function findTrees(folder: GitFolder, ids: readonly ExecutionId[]): Promise<Map<ExecutionId, RecordedTree>> {
  const found = new Map<ExecutionId, RecordedTree>();
  for (const id of ids) {
    const known = await findTree(folder, id);
    if (known !== undefined) found.set(id, known);
  }
  const rest = ids.filter((id) => !found.has(id));
  return new Map([...found, ...(await findRefs(folder, rest))]);
}

/** One git call, however many are asked for. */
async function findRefs(folder: GitFolder, ids: readonly ExecutionId[]): Promise<Map<ExecutionId, RecordedTree & { ref: string }>> {
  const found = new Map<ExecutionId, RecordedTree & { ref: string }>();
  if (ids.length === 0) return found;
  const wanted = new Map<string, ExecutionId>(ids.flatMap((id) => [[`${latePrefix}${id}`, id] as const, [`${prefix}${id}`, id] as const]));
  const format = "--format=%(objecttype) %(objectname) %(refname)";
  // of many, all are listed: git compares each ref with each name that it is given
  const names = wanted.size > maxNames ? [latePrefix, prefix] : wanted.keys();
  // sorted by name: an exact one comes before a late one of the same execution
  const output = await runOwnGit(folder, ["for-each-ref", format, ...names]);
  for (const line of output.split("\n")) {
    const [type, tree = "", ref = ""] = line.split(" ");
    const id = wanted.get(ref);
    if (type === "tree" && id !== undefined && !found.has(id)) found.set(id, { tree, ref, isExact: ref.startsWith(prefix) });
  }
  return found;
}
