import { existsSync } from "node:fs";
import { mkdir, realpath, rm } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { createLanes } from "../services/lanes.ts";
import { ServiceError } from "../services/service-error.ts";
import { GitError, runGit } from "./run-git.ts";
import { toSlug } from "./slug.ts";

export interface Base {
  branch: string | null;
  commit: string | null;
}

/** The branch and commit an attempt starts from. A repository without a commit has neither. */
export async function resolveBase(repository: string, wanted: string | undefined): Promise<Base> {
  const branch = wanted ?? (await optional(runGit(["symbolic-ref", "--short", "--quiet", "HEAD"], { cwd: repository })));
  const revision = wanted ?? "HEAD";
  const commit = await optional(
    runGit(["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`], { cwd: repository }),
  );
  if (wanted !== undefined && commit === null) {
    throw new ServiceError("invalid", "base-not-found", `There is no branch or commit “${wanted}” in this repository.`);
  }
  return { branch, commit };
}

/** Null where nothing was ever committed. */
export function resolveHead(directory: string): Promise<string | null> {
  return optional(runGit(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], { cwd: directory }));
}

const lanes = new Map<string, ReturnType<typeof createLanes>>();

/** One at a time in each repository: git looks at all its worktrees when it makes or removes one, and fails on one that is half made. */
function changeWorktrees(repository: string, args: readonly string[]): Promise<string> {
  const oneByOne = lanes.get(repository) ?? createLanes(1);
  lanes.set(repository, oneByOne);
  return oneByOne(() => runGit(["worktree", ...args], { cwd: repository }));
}

/** Makes the attempt's own worktree and branch `skein/<task-slug>-<n>`; a number that is taken is passed over. */
export async function addWorktree(input: {
  repository: string;
  root: string;
  folderName: string;
  taskTitle: string;
  number: number;
  baseCommit: string | null;
}): Promise<{ directory: string; branch: string }> {
  if (input.baseCommit === null) {
    throw new ServiceError(
      "invalid",
      "no-commit",
      "This repository has no commit yet, so there is nothing to branch from. Make a first commit, or start the attempt in place.",
    );
  }
  await mkdir(input.root, { recursive: true, mode: 0o700 });
  const slug = toSlug(input.taskTitle);
  const directory = join(input.root, input.folderName);
  for (let number = input.number; number < input.number + 1000; number++) {
    const branch = `skein/${slug}-${number}`;
    if (await branchExists(input.repository, branch)) continue;
    try {
      await changeWorktrees(input.repository, ["add", "--quiet", "-b", branch, "--", directory, input.baseCommit]);
    } catch (error) {
      // another attempt that begins at this moment took the name between the two
      if (error instanceof GitError && /a branch named .+ already exists|cannot lock ref 'refs\/heads\//.test(error.message)) continue;
      throw error;
    }
    return { directory: await realpath(directory), branch };
  }
  throw new ServiceError(
    "conflict",
    "no-branch-name",
    `Every branch name skein/${slug}-… is taken. Delete old branches, or rename the task.`,
  );
}

/**
 * Makes the folder of an attempt again, at the same place, from its branch. What was not committed is gone. True when it was
 * missing.
 */
export async function restoreWorktree(input: { repository: string; directory: string; branch: string | null }): Promise<boolean> {
  const { repository, directory, branch } = input;
  if (existsSync(directory)) return false;
  if (branch === null || !existsSync(repository)) {
    throw new ServiceError("conflict", "folder-gone", `The folder ${repository} is gone. Put it back, or delete the project.`);
  }
  if (!(await branchExists(repository, branch))) {
    throw new ServiceError(
      "conflict",
      "worktree-gone",
      `The folder of this attempt and its branch ${branch} are gone, so that there is nothing to go on with. Start a new attempt.`,
    );
  }
  await forgetWorktree(repository, directory);
  await mkdir(dirname(directory), { recursive: true, mode: 0o700 });
  try {
    await changeWorktrees(repository, ["add", "--quiet", "--", directory, branch]);
  } catch (cause) {
    const why = cause instanceof GitError ? cause.stderr.trim() : String(cause);
    throw new ServiceError(
      "conflict",
      "worktree-not-restored",
      `The folder of this attempt is gone and could not be made again from its branch ${branch}: ${why}`,
      { cause },
    );
  }
  return true;
}

/** Paths that differ from the last commit, new ones included. Ignored files and submodules do not count. */
export async function listUncommitted(directory: string): Promise<string[]> {
  const args = ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=normal", "--ignore-submodules=all"];
  const entries = (await runGit(args, { cwd: directory })).split("\0");
  return entries.flatMap((entry) => (entry === "" ? [] : [entry.slice(3)]));
}

/**
 * Makes git forget a worktree of ours whose folder is gone: it would keep its branch from being used anywhere else. Unlike
 * `git worktree prune` this leaves the person's own worktrees alone, whose disk may just not be there.
 */
export async function forgetWorktree(repository: string, directory: string): Promise<void> {
  if (existsSync(repository) && !existsSync(directory)) {
    await optional(changeWorktrees(repository, ["remove", "--force", "--force", "--", directory]));
  }
}

/**
 * A worktree of ours that belongs to no attempt: its creation was cut off. False, and it stays, when there is work in it, or
 * it cannot be told.
 */
export async function removeOrphanWorktree({ root, directory }: { root: string; directory: string }): Promise<boolean> {
  await assertInside(root, directory);
  const branch = await optional(runGit(["symbolic-ref", "--short", "--quiet", "HEAD"], { cwd: directory }));
  const repository = await optional(runGit(["rev-parse", "--path-format=absolute", "--git-common-dir"], { cwd: directory }));
  const tip = await optional(runGit(["rev-parse", "HEAD"], { cwd: directory }));
  if (branch === null || repository === null || tip === null || !branch.startsWith("skein/")) return false;
  if (!(await isElsewhere(repository, branch, tip))) return false;
  // without --force git refuses when anything in it is in no commit
  if ((await optional(changeWorktrees(repository, ["remove", "--", directory]))) === null) return false;
  await optional(runGit(["update-ref", "-d", `refs/heads/${branch}`, tip], { cwd: repository }));
  return true;
}

/** Another branch or a tag has the commit. */
async function isElsewhere(repository: string, branch: string, commit: string): Promise<boolean> {
  const refs = ["for-each-ref", `--contains=${commit}`, "--format=%(refname)", "refs/heads", "refs/remotes", "refs/tags"];
  const names = ((await optional(runGit(refs, { cwd: repository }))) ?? "").split("\n");
  return names.some((name) => name !== "" && name !== `refs/heads/${branch}`);
}

/**
 * Removes a worktree of ours and its branch, unless that has commits that are nowhere else. Whatever the stored path says,
 * nothing outside the worktree root is touched (X12).
 */
export async function removeWorktree(input: {
  repository: string;
  root: string;
  directory: string;
  branch: string | null;
  baseCommit: string | null;
}): Promise<{ keptBranch: string | null }> {
  if (existsSync(input.directory)) {
    await assertInside(input.root, input.directory);
    try {
      await changeWorktrees(input.repository, ["remove", "--force", "--force", "--", input.directory]);
    } catch {
      // the repository moved or is gone: the folder is still ours to remove
      await rm(input.directory, { recursive: true, force: true });
    }
  }
  await forgetWorktree(input.repository, input.directory);
  if (input.branch === null || !existsSync(input.repository)) return { keptBranch: null };
  const tip = await optional(runGit(["rev-parse", "--verify", "--quiet", `refs/heads/${input.branch}`], { cwd: input.repository }));
  if (tip === null) return { keptBranch: null };
  if (tip !== input.baseCommit && !(await isElsewhere(input.repository, input.branch, tip))) return { keptBranch: input.branch };
  await optional(runGit(["update-ref", "-d", `refs/heads/${input.branch}`, tip], { cwd: input.repository }));
  return { keptBranch: null };
}

export async function assertInside(root: string, directory: string): Promise<void> {
  const realRoot = await realpath(root);
  const realDirectory = join(await realpath(dirname(directory)), directory.slice(dirname(directory).length + 1));
  if (!realDirectory.startsWith(realRoot + sep)) {
    throw new ServiceError("forbidden", "outside-worktrees", `“${directory}” is not one of Skein's worktrees and is left alone.`);
  }
}

async function branchExists(repository: string, branch: string): Promise<boolean> {
  return (await optional(runGit(["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`], { cwd: repository }))) !== null;
}

async function optional(output: Promise<string>): Promise<string | null> {
  try {
    return (await output).trim();
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
}
