import { readdir, readlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AttemptId, Landing } from "@skein/contracts";
import { type GitFolder, tryOwnGit } from "../git/git-folder.ts";
import { readSmallFile } from "../repository/read-small-file.ts";
import { assertUnlocked } from "./agent-index.ts";
import { countCommits, findShared, isAncestor, type SharedPart } from "./commit-graph.ts";
import { readConflict } from "./conflict-state.ts";
import { assertCommitted, treeOf, writeFolderTree } from "./folder-tree.ts";
import { GitObstacleError, refuseLfs } from "./git-obstacle.ts";
import { findRef, type GitOperation, runOperation } from "./git-operation.ts";
import { readIdentity, writeCommit } from "./identity.ts";
import { mergeCommits } from "./merge-trees.ts";
import { toShellCommand } from "./shell-command.ts";
import { getBranch } from "./update-branch.ts";

export interface LandInput {
  /** Of the attempt. */
  folder: GitFolder;
  /** Of the project: the user's checkout. */
  repository: GitFolder;
  attemptId: AttemptId;
  baseBranch: string | null;
  baseCommit: string | null;
  method: Landing["method"];
  message: string;
  /** Where the attempt was landed before: only what came later is landed. */
  landed?: Landing | null;
  now: number;
}

/**
 * Moves the base branch to the attempt's work. The user's checkout changes only where it has the base branch checked out, is clean, and no
 * other file is in the way.
 */
export async function landBranch(input: LandInput): Promise<Landing> {
  const { folder, repository, attemptId, method, now } = input;
  if (await readConflict(folder)) throw new GitObstacleError({ code: "in-conflict" });
  const { commit: head } = await getBranch(folder);
  await assertCommitted(folder, input.baseCommit, head);
  const { baseBranch: branch } = input;
  if (branch === null) throw new GitObstacleError({ code: "no-base-branch" });
  const ref = `refs/heads/${branch}`;
  const previous = await findRef(repository, `${ref}^{commit}`);
  if (previous === null)
    throw new GitObstacleError(
      { code: "base-gone", base: branch },
      { command: toShellCommand("git", "-C", folder.directory, "branch", branch, head) },
    );
  if (await isAncestor(folder, head, previous)) throw new GitObstacleError({ code: "nothing-to-land", base: branch });
  const commit = await writeLanding(input, { head, previous, branch });
  const checkout = await findCheckout(repository, branch);
  const landing: Landing = { method, branch, commit, previous, head, landedAt: now };
  const operation: GitOperation = {
    ...{ kind: "land", attemptId, baseCommit: null, landing },
    ...{ refs: [{ ref, from: previous, to: commit }], files: null, index: null },
  };
  if (checkout !== undefined) Object.assign(operation, await planCheckout(repository, { checkout, branch, from: previous, to: commit }));
  await runOperation(repository, operation);
  return landing;
}

/** Takes a landing back, as long as nobody has moved the branch since. */
export async function undoLanding({
  repository,
  attemptId,
  landing,
}: {
  repository: GitFolder;
  attemptId: AttemptId;
  landing: Landing;
}): Promise<void> {
  const { branch, commit, previous } = landing;
  const checkout = await findCheckout(repository, branch);
  const operation: GitOperation = {
    ...{ kind: "land", attemptId, baseCommit: null, landing: null },
    ...{ refs: [{ ref: `refs/heads/${branch}`, from: commit, to: previous }], files: null, index: null },
  };
  if (checkout !== undefined) Object.assign(operation, await planCheckout(repository, { checkout, branch, from: commit, to: previous }));
  await runOperation(repository, operation);
}

async function writeLanding(
  input: LandInput,
  { head, previous, branch }: { head: string; previous: string; branch: string },
): Promise<string> {
  const { folder, method } = input;
  const isForward = await isAncestor(folder, previous, head);
  if (method === "fast-forward") {
    if (isForward) return head;
    throw new GitObstacleError({ code: "base-not-fast-forward", base: branch });
  }
  const shared = await findShared(folder, { landing: input.landed ?? null, baseCommit: input.baseCommit, head, tip: previous });
  const tree = isForward ? await treeOf(folder, head) : await mergeCleanly(folder, { head, previous, branch, shared });
  if (tree === (await treeOf(folder, previous))) throw new GitObstacleError({ code: "nothing-to-land", base: branch });
  const parents = method === "squash" ? [previous] : [previous, head];
  const message = `${input.message.trim()}\n`;
  return writeCommit(folder, { tree, parents, message, committer: await readIdentity(folder) });
}

async function mergeCleanly(
  folder: GitFolder,
  { head, previous, branch, shared }: { head: string; previous: string; branch: string; shared: SharedPart | undefined },
): Promise<string> {
  const { tree, conflicts } = await mergeCommits(folder, { ours: previous, theirs: head, base: shared?.head });
  if (conflicts.length === 0) return tree;
  const behind = await countCommits(folder, head, previous);
  throw new GitObstacleError({ code: "behind-base", base: branch, behind });
}

/** Where a branch is checked out: in the project's own folder, or in another worktree. */
export async function findCheckout({ commonDir }: GitFolder, branch: string): Promise<{ isMain: boolean; path: string } | undefined> {
  const wanted = `refs/heads/${branch}`;
  if ((await readHead(commonDir)) === wanted) return { isMain: true, path: dirname(commonDir) };
  const folder = join(commonDir, "worktrees");
  for (const name of await readdir(folder).catch(() => [])) {
    if ((await readHead(join(folder, name))) !== wanted) continue;
    const link = await readSmallFile(join(folder, name, "gitdir"));
    return { isMain: false, path: typeof link === "string" ? dirname(link.trim()) : name };
  }
  return undefined;
}

/** The ref that HEAD names, in every form that git reads; undefined if it is detached. */
async function readHead(gitDir: string): Promise<string | undefined> {
  const path = join(gitDir, "HEAD");
  const target = await readlink(path).catch(() => undefined);
  if (target !== undefined) return target;
  const text = await readSmallFile(path);
  return typeof text === "string" ? /^ref:\s*(.*?)\s*$/s.exec(text)?.[1] : undefined;
}

/** What else changes where the branch is checked out. Throws where that is not safe. */
async function planCheckout(
  repository: GitFolder,
  { checkout, branch, from, to }: { checkout: { isMain: boolean; path: string }; branch: string; from: string; to: string },
): Promise<Pick<GitOperation, "files" | "index" | "baseCommit">> {
  const { path } = checkout;
  const isProject = checkout.isMain ? repository.gitDir === repository.commonDir : path === repository.directory;
  const isBare =
    (await tryOwnGit(repository, ["config", "--file", join(repository.commonDir, "config"), "--no-includes", "--get", "core.bare"])) ===
    "true";
  if (checkout.isMain && isBare) return { files: null, index: null, baseCommit: null };
  if (!isProject)
    throw new GitObstacleError(
      { code: "base-checked-out-elsewhere", base: branch, path },
      { command: toShellCommand("git", "-C", path, "switch", "--detach") },
    );
  assertUnlocked(repository);
  await refuseLfs(repository, from);
  const tree = await treeOf(repository, from);
  const isDirty = (await writeFolderTree(repository, from)) !== tree || (await hasStaged(repository, tree));
  if (isDirty) {
    throw new GitObstacleError(
      { code: "base-checked-out-dirty", base: branch, path: repository.directory },
      { command: toShellCommand("git", "-C", repository.directory, "stash", "-u") },
    );
  }
  return { baseCommit: from, files: { from: tree, to: await treeOf(repository, to) }, index: { commit: to, from: null } };
}

/** Whether the user's own index has anything that its last commit does not have. */
async function hasStaged(repository: GitFolder, tree: string): Promise<boolean> {
  const target = { index: join(repository.gitDir, "index") };
  const output = await tryOwnGit(repository, ["diff-index", "--cached", "--name-only", "-z", tree], { target });
  return output === null || output !== "";
}
