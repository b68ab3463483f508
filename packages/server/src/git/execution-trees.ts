import { lstat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AttemptDiff, ExecutionId } from "@skein/contracts";
import { diffAgainstBase } from "./attempt-diff.ts";
import { hasChangedSince } from "./changed-since.ts";
import { withOwnIndex } from "./own-index.ts";
import { readDiff } from "./read-diff.ts";
import { GitError, runGit } from "./run-git.ts";

/*
 * What a folder held when an execution ended, as a tree of the repository's own objects. A ref keeps it from being
 * collected; it names a tree, not a commit, so that no log shows it and no push takes it along.
 */

const prefix = "refs/skein/executions/";
/** Those that were recorded so late that somebody had changed files since. */
const latePrefix = "refs/skein/late-executions/";
/** A file that is larger would be copied into the repository for a diff that nobody reads. */
const maxFileBytes = 10 * 1024 * 1024;
const maxListBytes = 64 * 1024 * 1024;

/**
 * The index of the agent and of the person stays as it is. Ignored files are left out. `endedAt` (epoch ms) is for one that
 * ended a while ago: whatever changed after it is in the tree, too, and the tree then counts as approximate.
 */
export async function recordExecutionTree(input: { directory: string; executionId: ExecutionId; endedAt?: number }): Promise<void> {
  const { directory, executionId, endedAt } = input;
  const isApproximate = endedAt !== undefined && (await hasChangedSince(directory, endedAt));
  await withOwnIndex(directory, async (own) => {
    const which = ["ls-files", "--others", "--modified", "--deleted", "--exclude-standard", "-z"];
    const changed = new Set((await runGit(which, { ...own, maxBytes: maxListBytes })).split("\0"));
    const paths = await keepSmall(directory, changed);
    if (paths.length > 0) {
      const list = join(dirname(own.environment?.GIT_INDEX_FILE ?? ""), "paths");
      await writeFile(list, paths.join("\0"), { mode: 0o600 });
      await runGit(["add", "--all", `--pathspec-from-file=${list}`, "--pathspec-file-nul"], own);
    }
    const tree = (await runGit(["write-tree"], own)).trim();
    await runGit(["update-ref", `${isApproximate ? latePrefix : prefix}${executionId}`, tree], { cwd: directory });
  });
}

export async function hasExecutionTree(directory: string, executionId: ExecutionId): Promise<boolean> {
  return (await findTree(directory, executionId)) !== undefined;
}

/**
 * What changed from the end of one execution to the end of another; to what the folder holds now where that is not recorded.
 * `approximate` where changes of others may be among these: an end on either side is missing, or was recorded too late.
 */
export async function diffExecutionTrees(input: {
  directory: string;
  /** The newest that is recorded counts; the base where none is. */
  before: readonly ExecutionId[];
  executionId: ExecutionId;
  /** One that runs changes the folder until now. */
  isRunning: boolean;
  baseCommit: string | null;
}): Promise<AttemptDiff> {
  const { directory, baseCommit, before } = input;
  const newest = await findNewest(directory, before);
  const start = newest?.tree ?? baseCommit;
  const end = await findTree(directory, input.executionId);
  const isExact = newest?.id === before.at(-1) && (end === undefined ? input.isRunning : end.isExact);
  const known = { baseCommit, ...(isExact ? {} : { approximate: true }) };
  if (end === undefined) return { ...(await diffAgainstBase({ directory, baseCommit: start })), ...known };
  const from = start ?? (await runGit(["hash-object", "-t", "tree", "/dev/null"], { cwd: directory })).trim();
  return { ...(await readDiff([from, end.tree], { cwd: directory })), ...known };
}

export async function deleteExecutionTrees(repository: string, ids: readonly ExecutionId[]): Promise<void> {
  for (const id of ids) {
    const found = await findTree(repository, id);
    if (found !== undefined) await runGit(["update-ref", "-d", `${found.isExact ? prefix : latePrefix}${id}`], { cwd: repository });
  }
}

interface ExecutionTree {
  tree: string;
  isExact: boolean;
}

async function findTree(cwd: string, id: ExecutionId): Promise<ExecutionTree | undefined> {
  const exact = await findObject(cwd, `${prefix}${id}`);
  if (exact !== undefined) return { tree: exact, isExact: true };
  const late = await findObject(cwd, `${latePrefix}${id}`);
  return late === undefined ? undefined : { tree: late, isExact: false };
}

async function findObject(cwd: string, ref: string): Promise<string | undefined> {
  try {
    return (await runGit(["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{tree}`], { cwd })).trim();
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

async function findNewest(cwd: string, ids: readonly ExecutionId[]): Promise<(ExecutionTree & { id: ExecutionId }) | undefined> {
  for (const id of ids.toReversed()) {
    const found = await findTree(cwd, id);
    if (found !== undefined) return { ...found, id };
  }
  return undefined;
}

/** A folder in the list is a repository of its own, which is not ours to add. */
async function keepSmall(directory: string, paths: ReadonlySet<string>): Promise<string[]> {
  const kept: string[] = [];
  for (const path of paths) {
    if (path === "" || path.endsWith("/")) continue;
    const found = await lstat(join(directory, path)).catch(() => undefined);
    // one that is gone is added too: as its removal
    if (found === undefined || found.size <= maxFileBytes) kept.push(path);
  }
  return kept;
}
