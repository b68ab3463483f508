import { existsSync } from "node:fs";
import { lstat, mkdir, readdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { createConcurrencyLimit, ServiceError, toSlug } from "@skein/engine";
import { readSmallFile } from "../repository/read-small-file.ts";
import { assertInside } from "./assert-inside.ts";
import { type GitFolder, runOwnGit, tryOwnGit } from "./git-folder.ts";
import { createOwnGitDir, readBase, removeOwnGitDir, syncHead } from "./own-git-dir.ts";
import { resolveHead } from "./resolve-base.ts";
import { GitError } from "./run-git.ts";
import { findUncommitted } from "./uncommitted.ts";
import { moveToTrash } from "./worktree-trash.ts";

const writeQueues = new Map<string, ReturnType<typeof createConcurrencyLimit>>();

/** Serialised per repository: adding or removing a worktree makes git read all others, and it fails on incomplete ones. */
function changeWorktrees(repository: GitFolder, args: readonly string[]): Promise<string> {
  const oneByOne = writeQueues.get(repository.commonDir) ?? createConcurrencyLimit(1);
  writeQueues.set(repository.commonDir, oneByOne);
  return oneByOne(() => runOwnGit(repository, ["worktree", ...args]));
}

/**
 * Removes the folder and git's record of it. If a link replaced the folder, only the link is removed (X12): git would follow it and
 * delete the target's files if that contains the worktree's `.git`.
 */
async function deleteWorktree(repository: GitFolder, directory: string): Promise<void> {
  const stats = await lstat(directory).catch(() => undefined);
  if (stats !== undefined && !stats.isDirectory()) await rm(directory, { force: true });
  await changeWorktrees(repository, ["remove", "--force", "--force", "--", directory]);
}

/**
 * Creates the attempt's worktree and its branch `skein/<task-slug>-<n>`, skipping numbers that are taken. Leaves neither on failure.
 * Files are written with our own git dir, so that no filter or hook of the repository runs.
 */
export async function addWorktree(input: {
  repository: GitFolder;
  root: string;
  folderName: string;
  /** Where our git dir is created. */
  ownDir: string;
  taskTitle: string;
  number: number;
  /** The commit to check out. */
  commit: string | null;
  baseCommit: string | null;
  /** Called before a branch of that name, and then the folder, are created. */
  onName?(made: { branch: string; directory: string; commit: string }): void;
}): Promise<{ branch: string; folder: GitFolder }> {
  const { repository, commit } = input;
  if (commit === null) {
    throw new ServiceError("invalid", { code: "no-commit" });
  }
  await mkdir(input.root, { recursive: true, mode: 0o700 });
  const slug = toSlug(input.taskTitle);
  const directory = join(input.root, input.folderName);
  let prefix = await choosePrefix(repository);
  let races = 0;
  for (let number = input.number; number < input.number + 1000 && races < 20; number++) {
    const branch = `${prefix}${slug}-${number}`;
    if (await branchExists(repository, branch)) continue;
    input.onName?.({ branch, directory, commit });
    try {
      await changeWorktrees(repository, ["add", "--quiet", "--no-checkout", "-b", branch, "--", directory, commit]);
    } catch (error) {
      if (!(error instanceof GitError && isNameTaken(error))) {
        // git creates the branch first: remove it if a later step failed, for example because the disk is full
        await removeWorktree({ ...input, directory, branch, baseCommit: commit }).catch(() => {});
        await removeNewBranch(repository, branch, commit);
        throw error;
      }
      // another attempt or the user took the name in the meantime
      races++;
      prefix = await choosePrefix(repository);
      continue;
    }
    try {
      return { branch, folder: await fillWorktree({ ...input, directory: await realpath(directory), commit }) };
    } catch (error) {
      await removeWorktree({ ...input, directory, branch, baseCommit: commit }).catch(() => {});
      await removeOwnGitDir(input.ownDir);
      throw explainCheckout(error);
    }
  }
  throw new ServiceError("conflict", { code: "no-branch-name", prefix: `${prefix}${slug}` });
}

/** Creates the branch of an attempt whose folder will be on another host, skipping names that are taken. */
export async function reserveBranch(input: {
  repository: GitFolder;
  taskTitle: string;
  number: number;
  commit: string;
  /** Called before a branch of that name is created. */
  onName(branch: string): void;
}): Promise<string> {
  const { repository, commit } = input;
  const prefix = await choosePrefix(repository);
  const slug = toSlug(input.taskTitle);
  for (let number = input.number; number < input.number + 1000; number++) {
    const branch = `${prefix}${slug}-${number}`;
    if (await branchExists(repository, branch)) continue;
    input.onName(branch);
    const created = await tryOwnGit(repository, ["update-ref", `refs/heads/${branch}`, commit, "0".repeat(commit.length)]);
    if (created !== null) return branch;
  }
  throw new ServiceError("conflict", { code: "no-branch-name", prefix: `${prefix}${slug}` });
}

/** On a full disk git cannot create the locks to delete a branch, but a file can still be removed. */
async function removeNewBranch({ commonDir, refFormat }: GitFolder, branch: string, commit: string): Promise<void> {
  const ref = join(commonDir, "refs/heads", branch);
  if (refFormat === "files" && (await readSmallFile(ref)) === `${commit}\n`) await rm(ref, { force: true });
}

/** If a branch named `skein` exists, git cannot create `skein/…`; names are then `skein-<task-slug>-<n>`. */
async function choosePrefix(repository: GitFolder): Promise<string> {
  return (await branchExists(repository, "skein")) ? "skein-" : "skein/";
}

/** False if the lock fails for another reason, such as a full disk: the next number would fail, too. */
function isNameTaken({ message }: GitError): boolean {
  return /a branch named .+ already exists|cannot lock ref 'refs\/heads\/.+(exists|File exists)/.test(message);
}

/** Called right after git created the worktree. No agent has been there yet, so its `.git` can be trusted. */
async function fillWorktree(input: {
  repository: GitFolder;
  directory: string;
  ownDir: string;
  commit: string;
  baseCommit: string | null;
}): Promise<GitFolder> {
  const { repository, directory, commit } = input;
  const link = join(directory, ".git");
  const name = basename((await readFile(link, "utf8")).trim());
  const gitDir = join(repository.commonDir, "worktrees", name);
  // git wrote the path through our git dir, which is deleted with the project
  await writeFile(link, `gitdir: ${gitDir}\n`);
  const folder = await createOwnGitDir(input.ownDir, { ...repository, directory, gitDir });
  await readBase(folder, input.baseCommit, { checkout: commit });
  return folder;
}

function explainCheckout(error: unknown): unknown {
  if (
    !(error instanceof Error) ||
    !/lacks the object|unable to read sha1 file|missing blob|could not fetch|promisor/i.test(error.message)
  ) {
    return error;
  }
  return new ServiceError("conflict", { code: "objects-missing" }, { cause: error });
}

/** The git dir of a worktree that an earlier release created: the one in the repository that names `directory`. */
export async function findWorktreeGitDir({ commonDir }: { commonDir: string }, directory: string): Promise<string | undefined> {
  const folder = join(commonDir, "worktrees");
  for (const name of await readdir(folder).catch(() => [])) {
    const gitDir = join(folder, name);
    if (!(await lstat(gitDir)).isDirectory()) continue;
    if ((await readSmallFile(join(gitDir, "gitdir"))) === `${join(directory, ".git")}\n`) return gitDir;
  }
  return undefined;
}

/** Updates git's record of a moved worktree, like `git worktree repair`, if it still has the old path. */
export async function relinkWorktree({ gitDir, from, to }: { gitDir: string; from: string; to: string }): Promise<void> {
  const link = join(gitDir, "gitdir");
  if ((await readSmallFile(link)) !== `${join(from, ".git")}\n`) return;
  await writeFile(`${link}.skein`, `${join(to, ".git")}\n`);
  await rename(`${link}.skein`, link);
}

/**
 * Recreates the folder of an attempt from its branch, at the same path. Uncommitted changes are lost. Returns true if the folder was
 * missing.
 */
export async function restoreWorktree(input: {
  repository: GitFolder;
  directory: string;
  ownDir: string;
  branch: string | null;
  baseCommit: string | null;
}): Promise<boolean> {
  const { repository, directory, branch } = input;
  if (existsSync(directory)) return false;
  if (branch === null || !existsSync(repository.commonDir)) {
    const gone = branch === null ? directory : repository.directory;
    throw new ServiceError("conflict", { code: "folder-gone", directory: gone });
  }
  const commit = await findBranch(repository, branch);
  if (commit === null) {
    throw new ServiceError("conflict", { code: "worktree-gone", ...(branch === null ? {} : { branch }) });
  }
  await forgetWorktree(repository, directory);
  await mkdir(dirname(directory), { recursive: true, mode: 0o700 });
  try {
    // our HEAD mirrors the project's, and git refuses to check out its branch twice
    await syncHead(repository);
    await changeWorktrees(repository, ["add", "--quiet", "--no-checkout", "--", directory, branch]);
    await fillWorktree({ ...input, commit });
  } catch (cause) {
    // an incomplete folder would be taken for a complete one next time
    await deleteWorktree(repository, directory).catch(ignoreGitError);
    const why = cause instanceof GitError ? cause.stderr.trim() : String(cause);
    throw new ServiceError("conflict", { code: "worktree-not-restored", branch, reason: why }, { cause });
  }
  return true;
}

/**
 * Removes git's record of a worktree whose folder is gone, because it would block its branch. Unlike `git worktree prune`, leaves the
 * user's own worktrees alone, whose disk may be unmounted.
 */
export async function forgetWorktree(repository: GitFolder, directory: string): Promise<void> {
  if (existsSync(repository.commonDir) && !existsSync(directory)) {
    await deleteWorktree(repository, directory).catch(ignoreGitError);
  }
}

/**
 * Removes a worktree of ours that belongs to no attempt because its creation was interrupted. Returns false and keeps it if it may
 * contain work. Its repository is searched among `repositories`; the folder's own `.git` is not trusted.
 */
export async function removeOrphanWorktree(input: {
  root: string;
  directory: string;
  ownDir: string;
  repositories: readonly GitFolder[];
}): Promise<boolean> {
  const { root, directory, ownDir } = input;
  await assertInside(root, directory);
  for (const repository of input.repositories) {
    const gitDir = await findWorktreeGitDir(repository, directory);
    if (gitDir === undefined) continue;
    try {
      return await removeUnused(repository, await createOwnGitDir(ownDir, { ...repository, directory, gitDir }));
    } catch (error) {
      if (error instanceof GitError) return false;
      throw error;
    } finally {
      await removeOwnGitDir(ownDir);
    }
  }
  return false;
}

async function removeUnused(repository: GitFolder, folder: GitFolder): Promise<boolean> {
  const tip = await resolveHead(folder);
  const branch = await tryOwnGit(folder, ["symbolic-ref", "--short", "--quiet", "HEAD"]);
  if (branch === null || tip === null || !/^skein[/-]/.test(branch)) return false;
  if (!(await isElsewhere(repository, branch, tip))) return false;
  // files that were not checked out yet are not somebody's deletions
  if ((await findUncommitted(folder)).some(({ isGone }) => !isGone)) return false;
  await deleteWorktree(repository, folder.directory);
  await tryOwnGit(repository, ["update-ref", "-d", `refs/heads/${branch}`, tip]);
  return true;
}

/** Whether another branch or a tag contains the commit. */
async function isElsewhere(repository: GitFolder, branch: string, commit: string): Promise<boolean> {
  const refs = ["for-each-ref", `--contains=${commit}`, "--format=%(refname)", "refs/heads", "refs/remotes", "refs/tags"];
  const names = ((await tryOwnGit(repository, refs)) ?? "").split("\n");
  return names.some((name) => name !== "" && name !== `refs/heads/${branch}`);
}

/**
 * Removes a worktree of ours, and its branch unless that has commits that exist nowhere else. Nothing outside the worktree root is
 * deleted, whatever path is stored (X12). Without a repository, only the folder is removed.
 */
export async function removeWorktree(input: {
  repository: GitFolder | undefined;
  root: string;
  directory: string;
  branch: string | null;
  baseCommit: string | null;
  /** Moves the files to the trash for `emptyTrash`. One rename, however many files. */
  later?: boolean;
}): Promise<{ keptBranch: string | null }> {
  const { repository, directory } = input;
  if (existsSync(directory)) {
    await assertInside(input.root, directory);
    if (!(input.later && (await moveToTrash(input.root, directory)))) await removeNow(repository, directory);
  }
  if (repository === undefined) return { keptBranch: null };
  await forgetWorktree(repository, directory);
  if (input.branch === null || !existsSync(repository.commonDir)) return { keptBranch: null };
  const tip = await findBranch(repository, input.branch);
  if (tip === null) return { keptBranch: null };
  if (tip !== input.baseCommit && !(await isElsewhere(repository, input.branch, tip))) return { keptBranch: input.branch };
  await tryOwnGit(repository, ["update-ref", "-d", `refs/heads/${input.branch}`, tip]);
  return { keptBranch: null };
}

/**
 * Moves a worktree to the trash if nothing in it would be lost: no uncommitted changes, and its branch is at `head`, which the caller knows
 * to be kept. The branch stays. Returns false if it has changed.
 */
export async function removeCleanWorktree(input: {
  repository: GitFolder;
  /** The worktree. */
  folder: GitFolder;
  root: string;
  branch: string | null;
  head: string;
}): Promise<boolean> {
  const { repository, folder, branch, head } = input;
  const { directory } = folder;
  if (branch === null || (await findBranch(repository, branch)) !== head) return false;
  if ((await resolveHead(folder)) !== head || (await findUncommitted(folder)).length > 0) return false;
  await assertInside(input.root, directory);
  if (!(await moveToTrash(input.root, directory))) return false;
  await forgetWorktree(repository, directory);
  return true;
}

async function removeNow(repository: GitFolder | undefined, directory: string): Promise<void> {
  try {
    if (repository === undefined) throw new Error("no repository");
    await deleteWorktree(repository, directory);
  } catch {
    // the repository is gone or the worktree's `.git` was changed: the folder can still be removed
    await rm(directory, { recursive: true, force: true });
  }
}

async function branchExists(repository: GitFolder, branch: string): Promise<boolean> {
  return (await findBranch(repository, branch)) !== null;
}

function findBranch(repository: GitFolder, branch: string): Promise<string | null> {
  return tryOwnGit(repository, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]);
}

function ignoreGitError(error: unknown): void {
  if (!(error instanceof GitError)) throw error;
}
