import { existsSync, lstatSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { AttemptId } from "@skein/contracts";
import { createConcurrencyLimit, ServiceError, toSlug } from "@skein/engine";
import { findRecentChanges } from "../files/find-recent-changes.ts";
import { createPathLists } from "../files/list-paths.ts";
import { rankPaths } from "../files/rank-paths.ts";
import { maxImageBytes, readFile, readFolder, toFileContent } from "../files/read-worktree.ts";
import { findRepositories } from "../folders/find-repositories.ts";
import { listFolderNames } from "../folders/folder-names.ts";
import { toHomePath } from "../folders/home-path.ts";
import { matchFolders } from "../folders/match-folders.ts";
import { diffAgainstBase } from "../git/attempt-diff.ts";
import { carryChanges, carryTree } from "../git/carry-changes.ts";
import { statAgainstBase } from "../git/diff-stat.ts";
import { findForkCommits, findPoint, withoutMarks } from "../git/execution-point.ts";
import {
  deleteExecutionTrees,
  diffExecutionTrees,
  hasExecutionTree,
  identifyContent,
  recordExecutionTree,
  recordStartTree,
} from "../git/execution-trees.ts";
import type { GitFolder } from "../git/git-folder.ts";
import { inspectRepository } from "../git/inspect-repository.ts";
import { listBranches } from "../git/list-branches.ts";
import { findMirror, removeMirrorRefs } from "../git/mirror.ts";
import { moveOwnGitDir } from "../git/own-git-dir.ts";
import { readBlob } from "../git/read-blob.ts";
import { diffRemoved, findRemoved } from "../git/removed-folder.ts";
import { type AttemptBase, resolveBase, resolveHead } from "../git/resolve-base.ts";
import { openBase } from "../git/snapshot.ts";
import { listUncommitted } from "../git/uncommitted.ts";
import { emptyTrash, moveToTrash } from "../git/worktree-trash.ts";
import { addWorktree, findWorktreeGitDir, relinkWorktree, removeCleanWorktree, removeWorktree, restoreWorktree } from "../git/worktrees.ts";
import { readHooks } from "../landing/read-hooks.ts";
import { pruneSafetyRefs } from "../landing/safety-refs.ts";
import type { AttemptFolder, NewAttemptFolder, RelocatedFolder, SearchedFolder, Workspaces } from "../port/workspaces.ts";
import type { Creations } from "./creations.ts";
import { type DataFolders, toDataFolders } from "./data-folders.ts";
import type { GitFolders } from "./git-folders.ts";
import { createLfsFiles } from "./lfs-files.ts";
import { createLocalBranches } from "./local-branches.ts";
import { createLocalRepositoryFiles } from "./local-repository-files.ts";
import { removeOrphans } from "./orphan-folders.ts";

/** The folders of a data dir, in this process. `searchPath` is a `PATH` for the user's programs. */
export function createLocalWorkspaces(input: {
  folders: DataFolders;
  gitFolders: GitFolders;
  creations: Creations;
  searchPath: string | undefined;
  now(): number;
}): Workspaces {
  const { folders, gitFolders, creations } = input;
  const root = folders.worktrees;
  const lfs = createLfsFiles(input);
  const downloads = new Map<AttemptId, AbortController>();
  const listPaths = createPathLists(input.now);
  // a board that requests all its tasks at once must not start a hundred processes
  const limitStats = createConcurrencyLimit(2);

  const open = async (attempt: AttemptFolder) => ({ folder: await gitFolders.ofAttempt(attempt), baseCommit: attempt.baseCommit });
  const findRepository = ({ project }: AttemptFolder): Promise<GitFolder | undefined> =>
    gitFolders.ofProject(project).catch(() => undefined);

  /** What the files of a new worktree are made from: a base, another attempt as it is now, or as it was at a point. */
  async function findStart({ project, baseBranch, source, sourcePoint }: NewAttemptFolder, repository: GitFolder) {
    if (source === undefined) {
      const base = await resolveBase(repository, baseBranch);
      return { base, commit: base.commit, carry: async () => {} };
    }
    const { baseCommit } = source;
    if (sourcePoint === undefined) {
      await restoreWorktree({ ...source, repository, ownDir: gitFolders.ownDir(source.id) });
      const from = await gitFolders.ofAttempt(source);
      const carry = (to: GitFolder, commit: string) => carryChanges({ from, to, commit, baseCommit });
      return { base: { branch: source.baseBranch, commit: baseCommit }, commit: await resolveHead(from), carry };
    }
    // the folder itself may be gone: what it held is in the repository
    const folder = { ...(await gitFolders.ofAttempt(source)), directory: project.path };
    const point = await findPoint(folder, { ...sourcePoint, baseCommit });
    if (point === undefined) throw new ServiceError("conflict", { code: "not-recorded" });
    const tree = await withoutMarks(folder, point.tree);
    const fork = await findForkCommits(folder, { head: point.head, baseCommit });
    const carry = (to: GitFolder, commit: string) => carryTree({ to, commit, tree, baseCommit: fork.baseCommit });
    return { base: { branch: source.baseBranch, commit: fork.baseCommit }, commit: fork.commit, carry };
  }

  async function create(input: NewAttemptFolder) {
    const { id, project, isolation, taskTitle, number, baseBranch, source } = input;
    if (isolation === "in-place") {
      const base: AttemptBase =
        source === undefined
          ? await resolveBase(await gitFolders.ofProject(project), baseBranch)
          : { branch: source.baseBranch, commit: source.baseCommit };
      return { directory: project.path, branch: null, base };
    }
    const repository = await gitFolders.ofProject(project);
    const { base, commit, carry } = await findStart(input, repository);
    const { branch, folder } = await addWorktree({
      repository,
      root,
      folderName: `${toSlug(taskTitle)}-${number}-${id.slice(-6)}`,
      ownDir: gitFolders.ownDir(id),
      taskTitle,
      number,
      commit,
      baseCommit: base.commit,
      onName: (made) => creations.note({ id, project, ...made }),
    });
    const made = { directory: folder.directory, branch, base };
    try {
      if (commit !== null) await carry(folder, commit);
    } catch (error) {
      await removeWorktree({ ...made, repository, root, baseCommit: base.commit }).catch(() => {});
      await gitFolders.forget(id);
      throw error;
    }
    return made;
  }

  /** Reads the base, or the project's last commit, so that tracked files are listed even if an ignore rule matches them. */
  async function openSearched(searched: SearchedFolder): Promise<GitFolder> {
    if ("attempt" in searched) {
      const { folder, baseCommit } = await open(searched.attempt);
      await openBase(folder, baseCommit);
      return folder;
    }
    const folder = await gitFolders.ofProject(searched.project);
    await openBase(folder, await resolveHead(folder), { refresh: false });
    return folder;
  }

  return {
    ...createLocalRepositoryFiles(folders),
    ...createLocalBranches({ gitFolders, now: input.now }),
    inspectRepository: ({ path }) => inspectRepository(path),
    addProject: ({ id, repository }) => gitFolders.rememberProject(id, repository),
    removeProject: ({ id }) => gitFolders.forget(id),
    listBranches: async (project) => listBranches(await gitFolders.ofProject(project)),
    resolveBase: async ({ project, branch }) => resolveBase(await gitFolders.ofProject(project), branch),
    async readHooks({ project, directory }) {
      const repository = await gitFolders.ofProject(project);
      const gitDir = directory === repository.directory ? repository.gitDir : await findWorktreeGitDir(repository, directory);
      return readHooks({ ...repository, directory, gitDir: gitDir ?? repository.gitDir });
    },

    create: (wanted) => creations.during(wanted.id, () => create(wanted)),
    async listCreations() {
      const notes = await creations.list();
      return notes.map(({ id, project, hostId }) => ({ id, projectId: project.id, folderOn: hostId ?? null }));
    },
    keepCreation: ({ id }) => creations.keep(id),
    removeCreation: ({ id, folderOnly }) => creations.remove(id, { folderOnly }),
    async prepareInPlace(attempt) {
      const { folder, baseCommit } = await open(attempt);
      await openBase(folder, baseCommit);
    },
    async restore(attempt) {
      // a link in its place would lead the agent's tools out of the folder (X10)
      const isWorktree = attempt.isolation === "worktree";
      if (isWorktree && lstatSync(attempt.directory, { throwIfNoEntry: false })?.isSymbolicLink()) return "replaced";
      if (existsSync(attempt.directory)) return "present";
      const repository = await findRepository(attempt);
      if (repository === undefined) return "no-repository";
      const isRestored = await restoreWorktree({ ...attempt, repository, ownDir: gitFolders.ownDir(attempt.id) });
      return isRestored ? "restored" : "present";
    },
    exists: async ({ directory, path = "." }) => existsSync(resolve(directory, path)),
    async remove({ attempt, later = false }) {
      const repository = await findRepository(attempt);
      if (repository !== undefined) await pruneSafetyRefs(repository, attempt.id, { now: input.now(), all: true }).catch(() => {});
      if (repository !== undefined && (await findMirror({ ownDir: gitFolders.ownDir(attempt.id) }))) {
        await removeMirrorRefs(repository, attempt.id);
      }
      return removeWorktree({ ...attempt, repository, root, later });
    },
    async removeFolder({ attempt, head }) {
      const repository = await findRepository(attempt);
      if (repository === undefined || !existsSync(attempt.directory)) return false;
      return removeCleanWorktree({ ...attempt, repository, folder: await gitFolders.ofAttempt(attempt), root, head });
    },
    async removeSandboxHome({ id }) {
      await moveToTrash(root, join(folders.homes, id));
    },
    async forget({ id }) {
      await gitFolders.forget(id);
      await moveToTrash(root, join(folders.homes, id));
    },

    async diff(attempt) {
      const opened = await open(attempt);
      const removed = await findRemoved(opened.folder, attempt);
      return removed === undefined ? diffAgainstBase(opened) : diffRemoved(removed, attempt.baseCommit);
    },
    diffStat: ({ attempt, uncommitted }) =>
      limitStats(async () => {
        const opened = await open(attempt);
        const removed = await findRemoved(opened.folder, attempt);
        if (removed !== undefined) {
          const { files } = await diffRemoved(removed, attempt.baseCommit);
          const sum = (key: "additions" | "deletions") => files.reduce((total, file) => total + (file[key] ?? 0), 0);
          return {
            files: files.length,
            additions: sum("additions"),
            deletions: sum("deletions"),
            ...(uncommitted ? { uncommitted: 0 } : {}),
          };
        }
        const stat = await statAgainstBase(opened);
        return uncommitted ? { ...stat, uncommitted: (await listUncommitted(opened.folder)).length } : stat;
      }),
    listUncommitted: async (attempt) => listUncommitted(await gitFolders.ofAttempt(attempt)),

    identifyContent: async (attempt) => identifyContent(await open(attempt)),

    recordExecution: async ({ attempt, ...execution }) => recordExecutionTree({ ...(await open(attempt)), ...execution }),
    recordExecutionStart: async ({ attempt, ...execution }) => recordStartTree({ ...(await open(attempt)), ...execution }),
    hasRecorded: async ({ attempt, executionId }) => hasExecutionTree(await gitFolders.ofAttempt(attempt), executionId),
    async diffExecution({ attempt, ...execution }) {
      const { folder, baseCommit } = await open(attempt);
      // what was recorded is in the repository
      const removed = execution.isRunning ? undefined : await findRemoved(folder, attempt);
      return diffExecutionTrees({ folder: removed?.folder ?? folder, baseCommit, ...execution });
    },
    deleteRecorded: async ({ project, executionIds }) => deleteExecutionTrees(await gitFolders.ofProject(project), executionIds),

    readFolder: ({ attempt, path }) => readFolder(attempt.directory, path),
    async readFile({ attempt, path, blob }) {
      const stored = blob === undefined ? null : await readBlob(await gitFolders.ofAttempt(attempt), blob, maxImageBytes);
      return stored === null ? readFile(attempt.directory, path) : toFileContent({ path, ...stored });
    },
    async matchPaths({ folder, text, limit }) {
      return rankPaths(await listPaths(toDirectory(folder), () => openSearched(folder)), text, limit);
    },
    async listCommands(folder) {
      // imported lazily to keep server start-up fast
      const { listCommands } = await import("@skein/agents/commands");
      const found = await listCommands(toDirectory(folder)).catch(() => []);
      return found.map(({ name, description }) => ({ name, description, source: "project" }));
    },

    matchFolders: ({ typed, limit }) => matchFolders(typed, { limit }),
    async findRepositories() {
      const found = await findRepositories(homedir(), { except: folders.home });
      return found.map(({ path }) => ({ path, shown: toHomePath(path) }));
    },

    nameFolders: async ({ directories }) => ({
      directories: await Promise.all(directories.map(listFolderNames)),
      worktrees: await listFolderNames(root),
      dataDir: await listFolderNames(folders.home),
      userHome: homedir(),
    }),
    findRecentChanges,
    locateWorktree: async ({ directory }) => join(root, basename(directory)),

    describeLfs: async (project) => lfs.describe(await gitFolders.ofProject(project)),
    async prepareLfs({ attempt, trustedHash, download }) {
      const cancel = new AbortController();
      if (download) downloads.set(attempt.id, cancel);
      try {
        return await lfs.prepare({ ...(await open(attempt)), trustedHash, signal: download ? cancel.signal : undefined });
      } finally {
        if (download) downloads.delete(attempt.id);
      }
    },
    cancelLfsDownload: async ({ id }) => downloads.get(id)?.abort(),

    emptyTrash: ({ limit }) => emptyTrash(root, limit),
    removeOrphans: (known) => removeOrphans({ folders, gitFolders }, known),
    relocate: (attempts) => relocate(realpathSync(folders.home), attempts),
  };
}

function toDirectory(folder: SearchedFolder): string {
  return "attempt" in folder ? folder.attempt.directory : folder.project.path;
}

/** `home`: the real path of the data dir. */
async function relocate(home: string, attempts: readonly Pick<AttemptFolder, "id" | "directory">[]): Promise<RelocatedFolder[]> {
  const folders = toDataFolders(home);
  const moved: RelocatedFolder[] = [];
  for (const { id, directory: from } of attempts) {
    const directory = join(folders.worktrees, basename(from));
    if (dirname(from) === folders.worktrees || !existsSync(directory)) continue;
    const gitDir = await moveOwnGitDir(join(folders.git, id), directory);
    // a copied data dir: git knows one path per worktree, and keeps the original's
    const isCopy = existsSync(from);
    if (!isCopy && gitDir !== undefined) await relinkWorktree({ gitDir, from, to: directory });
    moved.push({ id, directory, isCopy });
  }
  return moved;
}
