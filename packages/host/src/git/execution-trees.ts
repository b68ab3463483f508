import type { AttemptDiff, ExecutionId } from "@skein/contracts";
import { diffFolder } from "./attempt-diff.ts";
import { hasChangedSince } from "./changed-since.ts";
import { emptyTree, type GitFolder, runOwnGit } from "./git-folder.ts";
import { findBase, findTree, type RecordedTree, rememberTree, type TreeName } from "./own-git-dir.ts";
import { readDiff } from "./read-diff.ts";
import { resolveHead } from "./resolve-base.ts";
import { withSnapshot } from "./snapshot.ts";

/*
 * The content of a folder at the start and at the end of an execution, stored as trees in the repository's object database. A ref protects
 * a tree from garbage collection. The ref names a tree, not a commit, so no log shows it and no push includes it. The tree id is also
 * stored in our own git dir, because an agent can write the repository's refs.
 */

const prefix = "refs/skein/executions/";
/** Trees that were recorded late, after files had changed again. */
const latePrefix = "refs/skein/late-executions/";

/** Trees at the start of executions, where they differ from the base and from the end before. */
const startPrefix = "refs/skein/execution-starts/";

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

/** The tree of the folder's current content. Nothing is stored: the objects are discarded. */
export function identifyContent({ folder, baseCommit }: { folder: GitFolder; baseCommit: string | null }): Promise<string> {
  return withSnapshot(folder, { baseCommit, objects: "discard" }, async ({ target }) =>
    (await runOwnGit(folder, ["write-tree"], { target })).trim(),
  );
}

/**
 * Records the folder before an execution's agent starts: what differs from the end before is not the agent's. Cheap if nothing differs from
 * the base. `previous` is the execution before.
 */
export async function recordStartTree(input: {
  folder: GitFolder;
  baseCommit: string | null;
  executionId: ExecutionId;
  previous?: ExecutionId | undefined;
}): Promise<void> {
  const { folder, baseCommit, executionId, previous } = input;
  const [tree, head, end] = await Promise.all([
    withSnapshot(folder, { baseCommit, objects: "keep" }, async ({ base, isBase, target }) =>
      isBase ? base.tree : (await runOwnGit(folder, ["write-tree"], { target })).trim(),
    ),
    resolveHead(folder),
    previous === undefined ? undefined : findTree(folder, previous),
  ]);
  const isKept = end?.tree === tree || (await findBase(folder))?.tree === tree;
  if (!isKept) await runOwnGit(folder, ["update-ref", `${startPrefix}${executionId}`, tree]);
  await rememberTree(folder, `${executionId}.start`, { tree, isExact: true, head });
}

/** Keeps a tree that was recorded on another host. */
export async function keepTree(folder: GitFolder, name: TreeName, recorded: RecordedTree): Promise<void> {
  const known = await findTree(folder, name);
  if (known?.tree === recorded.tree && known.isExact === recorded.isExact) return;
  const isStart = name.endsWith(".start");
  const ref = isStart ? `${startPrefix}${name.slice(0, -".start".length)}` : `${recorded.isExact ? prefix : latePrefix}${name}`;
  await runOwnGit(folder, ["update-ref", ref, recorded.tree]);
  await rememberTree(folder, name, recorded);
}

export function findStartTree(folder: GitFolder, executionId: ExecutionId): Promise<RecordedTree | undefined> {
  return findTree(folder, `${executionId}.start`);
}

export async function hasExecutionTree(folder: GitFolder, executionId: ExecutionId): Promise<boolean> {
  return (await findTrees(folder, [executionId])).has(executionId);
}

/**
 * What changed from the start of an execution to its end, or up to the current folder if the end is not recorded. Where the start is not
 * recorded, from the end before. `approximate` if other changes may be included: an end is missing or was recorded late.
 */
export async function diffExecutionTrees(input: {
  folder: GitFolder;
  /** Earlier executions. Without a recorded start, the newest recorded end is used, or the base if there is none. */
  before: readonly ExecutionId[];
  executionId: ExecutionId;
  /** A running execution is compared with the current folder. */
  isRunning: boolean;
  baseCommit: string | null;
}): Promise<AttemptDiff> {
  const { folder, baseCommit, before } = input;
  const trees = await findTrees(folder, [...before, input.executionId]);
  const newest = before.findLast((id) => trees.has(id));
  const known = (await findStartTree(folder, input.executionId))?.tree;
  const start = known ?? (newest && trees.get(newest)?.tree);
  const end = trees.get(input.executionId);
  const isExact = (known !== undefined || newest === before.at(-1)) && (end === undefined ? input.isRunning : end.isExact);
  const facts = { baseCommit, ...(isExact ? {} : { approximate: true }) };
  if (end === undefined) {
    return { ...(await diffFolder(folder, { baseCommit, ...(start === undefined ? {} : { from: start }) })), ...facts };
  }
  const from = start ?? (baseCommit === null ? emptyTree(folder) : `${baseCommit}^{tree}`);
  return { ...(await readDiff(folder, ["diff-tree", "-r"], [from, end.tree])), ...facts };
}

export async function deleteExecutionTrees(repository: GitFolder, ids: readonly ExecutionId[]): Promise<void> {
  const found = await findRefs(repository, ids);
  const starts = await listStartRefs(repository, ids);
  const commands = [...[...found.values()].map(({ ref }) => ref), ...starts].map((ref) => `delete ${ref}\n`);
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

async function listStartRefs(folder: GitFolder, ids: readonly ExecutionId[]): Promise<string[]> {
  const wanted = new Set(ids.map((id) => `${startPrefix}${id}`));
  if (wanted.size === 0) return [];
  const output = await runOwnGit(folder, ["for-each-ref", "--format=%(refname)", startPrefix]);
  return output.split("\n").filter((ref) => wanted.has(ref));
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
