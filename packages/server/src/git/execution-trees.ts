import { lstat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AttemptDiff, ExecutionId } from "@skein/contracts";
import { diffAgainstBase } from "./attempt-diff.ts";
import { withOwnIndex } from "./own-index.ts";
import { readDiff } from "./read-diff.ts";
import { GitError, runGit } from "./run-git.ts";

/*
 * What a folder held when an execution ended, as a tree of the repository's own objects. A ref keeps it from being
 * collected; it names a tree, not a commit, so that no log shows it and no push takes it along.
 */

const prefix = "refs/skein/executions/";
/** A file that is larger would be copied into the repository for a diff that nobody reads. */
const maxFileBytes = 10 * 1024 * 1024;
const maxListBytes = 64 * 1024 * 1024;

/** The index of the agent and of the person stays as it is. Ignored files are left out. */
export async function recordExecutionTree(input: { directory: string; executionId: ExecutionId }): Promise<void> {
  const { directory, executionId } = input;
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
    await runGit(["update-ref", `${prefix}${executionId}`, tree], { cwd: directory });
  });
}

/** What changed from the end of one execution to the end of another; to what the folder holds now where that is not recorded. */
export async function diffExecutionTrees(input: {
  directory: string;
  /** The newest that is recorded counts; the base where none is. */
  before: readonly ExecutionId[];
  executionId: ExecutionId;
  baseCommit: string | null;
}): Promise<AttemptDiff> {
  const { directory, baseCommit } = input;
  const start = (await findNewest(directory, input.before)) ?? baseCommit;
  const end = await findTree(directory, input.executionId);
  if (end === undefined) return { ...(await diffAgainstBase({ directory, baseCommit: start })), baseCommit };
  const from = start ?? (await runGit(["hash-object", "-t", "tree", "/dev/null"], { cwd: directory })).trim();
  return { ...(await readDiff([from, end], { cwd: directory })), baseCommit };
}

export async function deleteExecutionTrees(repository: string, ids: readonly ExecutionId[]): Promise<void> {
  for (const id of ids) if (await findTree(repository, id)) await runGit(["update-ref", "-d", `${prefix}${id}`], { cwd: repository });
}

async function findTree(cwd: string, id: ExecutionId): Promise<string | undefined> {
  try {
    return (await runGit(["rev-parse", "--verify", "--quiet", "--end-of-options", `${prefix}${id}^{tree}`], { cwd })).trim();
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

async function findNewest(cwd: string, ids: readonly ExecutionId[]): Promise<string | undefined> {
  for (const id of ids.toReversed()) {
    const tree = await findTree(cwd, id);
    if (tree !== undefined) return tree;
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
