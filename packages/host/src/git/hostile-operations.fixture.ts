import { rmSync } from "node:fs";
import { join } from "node:path";
import { createId, type ExecutionId } from "@skein/contracts";
import type { HostileRepository } from "@skein/testkit/hostile-repositories";
import { createPathLists } from "../files/list-paths.ts";
import { findLfsSource } from "../lfs/find-lfs-source.ts";
import { listLfsFiles } from "../lfs/list-lfs-files.ts";
import { placeLfsFiles } from "../lfs/place-lfs-files.ts";
import { diffAgainstBase } from "./attempt-diff.ts";
import { carryChanges } from "./carry-changes.ts";
import { hasChangedSince } from "./changed-since.ts";
import { statAgainstBase } from "./diff-stat.ts";
import { deleteExecutionTrees, diffExecutionTrees, hasExecutionTree, recordExecutionTree } from "./execution-trees.ts";
import type { GitFolder } from "./git-folder.ts";
import { inspectRepository } from "./inspect-repository.ts";
import { createOwnGitDir } from "./own-git-dir.ts";
import { resolveBase, resolveHead } from "./resolve-base.ts";
import { openBase } from "./snapshot.ts";
import { listUncommitted } from "./uncommitted.ts";
import { addWorktree, findWorktreeGitDir, forgetWorktree, removeOrphanWorktree, removeWorktree, restoreWorktree } from "./worktrees.ts";

/** A project and one attempt in it, as a server stores them. */
export interface Attempt {
  repository: GitFolder;
  folder: GitFolder;
  branch: string | null;
  baseCommit: string | null;
  executions: ExecutionId[];
  home: string;
}

const root = ({ home }: Pick<Attempt, "home">): string => join(home, "worktrees");
let made = 0;

/** Adds the repository as a project and starts an attempt in it. */
export async function startAttempt(hostile: HostileRepository, isolation: Isolation): Promise<Attempt> {
  const home = join(hostile.outside, `home-${++made}`);
  const repository = await createOwnGitDir(join(home, "git/project"), await inspectRepository(hostile.path));
  const { commit: baseCommit } = await resolveBase(repository, undefined);
  if (isolation === "in-place") {
    const folder = await createOwnGitDir(join(home, "git/attempt"), repository);
    await openBase(folder, baseCommit);
    return { repository, folder, branch: null, baseCommit, executions: [], home };
  }
  const { branch, folder } = await addNext({ repository, home, baseCommit }, baseCommit);
  return { repository, folder, branch, baseCommit, executions: [], home };
}

function addNext({ repository, home, baseCommit }: Pick<Attempt, "repository" | "home" | "baseCommit">, commit: string | null) {
  const name = `attempt-${++made}`;
  const place = { folderName: name, ownDir: join(home, "git", name), taskTitle: "Work", number: made };
  return addWorktree({ ...place, repository, root: root({ home }), commit, baseCommit });
}

export type Isolation = "worktree" | "in-place";
export type Operation = (attempt: Attempt) => Promise<unknown>;

/** Every operation that runs git. */
export const operations: Record<string, Operation> = {
  // after an agent has replaced .git, this may not be a repository
  inspect: ({ repository }) => inspectRepository(repository.directory).catch(() => undefined),
  "resolve base": async ({ repository }) => {
    await resolveBase(repository, undefined);
    await resolveBase(repository, "main");
  },
  "resolve head": ({ folder }) => resolveHead(folder),
  diff: diffAgainstBase,
  "diff stat": statAgainstBase,
  uncommitted: ({ folder }) => listUncommitted(folder),
  "changed since": ({ folder, baseCommit }) => hasChangedSince(folder, baseCommit, Date.now() + 60_000),
  "list paths": ({ folder }) => createPathLists(Date.now)("", async () => folder),
  "list paths of the project": async ({ repository }) => {
    await openBase(repository, await resolveHead(repository), { refresh: false });
    return createPathLists(Date.now)("", async () => repository);
  },
  "open a base again": async ({ folder, baseCommit }) => {
    rmSync(join(folder.ownDir, "base.json"), { force: true });
    await openBase(folder, baseCommit);
  },
  "record an execution": async (attempt) => {
    const executionId = createId("exe", Date.now());
    attempt.executions.push(executionId);
    await recordExecutionTree({ ...attempt, executionId });
    if (!(await hasExecutionTree(attempt.folder, executionId))) throw new Error("The tree of the execution was not recorded.");
  },
  "record one late": async (attempt) => {
    const executionId = createId("exe", Date.now());
    attempt.executions.push(executionId);
    await recordExecutionTree({ ...attempt, executionId, endedAt: 1 });
  },
  "execution diff": async (attempt) => {
    const executionId = attempt.executions.at(-1) ?? createId("exe", Date.now());
    await diffExecutionTrees({ ...attempt, executionId, before: attempt.executions.slice(0, -1), isRunning: false });
  },
  "delete trees": async (attempt) => {
    await deleteExecutionTrees(attempt.repository, attempt.executions.splice(0));
  },
  "files of Git LFS": async ({ folder, repository, baseCommit }) => {
    const commit = await resolveHead(folder);
    if (commit === null || baseCommit === null) return;
    await placeLfsFiles(folder, await listLfsFiles(folder, commit));
    await findLfsSource(repository, baseCommit);
  },
  "find a worktree of an earlier release": async ({ repository, folder }) => findWorktreeGitDir(repository, folder.directory),
};

/** Operations that need an attempt in a worktree. Each leaves the worktree in place. */
export const worktreeOperations: Record<string, Operation> = {
  "continue in another worktree": async (attempt) => {
    const commit = await resolveHead(attempt.folder);
    if (commit === null) throw new Error("The attempt has no commits.");
    const { folder, branch } = await addNext(attempt, commit);
    await carryChanges({ from: attempt.folder, to: folder, commit, baseCommit: attempt.baseCommit });
    await removeWorktree({ ...attempt, root: root(attempt), directory: folder.directory, branch });
  },
  "restore a worktree": async (attempt) => {
    const { branch, repository, folder, baseCommit } = attempt;
    const place = { repository, directory: folder.directory, ownDir: folder.ownDir, branch, baseCommit };
    await restoreWorktree(place);
    rmSync(folder.directory, { recursive: true, force: true });
    await forgetWorktree(repository, folder.directory);
    await restoreWorktree(place);
    attempt.folder = { ...folder, gitDir: (await findWorktreeGitDir(repository, folder.directory)) ?? "" };
  },
  "inspect an orphan": async (attempt) => {
    const { folder } = await addNext(attempt, attempt.baseCommit);
    const place = { root: root(attempt), directory: folder.directory, ownDir: join(attempt.home, "git/orphan") };
    await removeOrphanWorktree({ ...place, repositories: [attempt.repository] });
  },
};

export async function endAttempt(attempt: Attempt): Promise<void> {
  if (attempt.branch !== null) await removeWorktree({ ...attempt, root: root(attempt), directory: attempt.folder.directory });
}
