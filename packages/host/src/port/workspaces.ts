import type {
  Attempt,
  AttemptDiff,
  AttemptId,
  BranchList,
  DiffStat,
  ExecutionId,
  FileContent,
  FolderListing,
  FolderMatches,
  Project,
  ProjectId,
  SlashCommand,
} from "@skein/contracts";
import type { RepositoryDirs } from "../git/find-repository.ts";
import type { TrashLeft } from "../git/worktree-trash.ts";
import type { AttemptBase } from "../git/worktrees.ts";
import type { LfsSourceProblem } from "../lfs/find-lfs-source.ts";
import type { Branches } from "./branches.ts";
import type { RepositoryFiles } from "./repository-files.ts";

/** A project, as far as its host has to know it. */
export type ProjectFolder = Pick<Project, "id" | "path">;

/** The folder that an attempt works in: its own worktree, or the project's folder. */
export interface AttemptFolder extends Pick<Attempt, "id" | "isolation" | "directory" | "branch" | "baseCommit"> {
  project: ProjectFolder;
}

/** A folder to look for files in. Before its first attempt, a task has only the project's own. */
export type SearchedFolder = { attempt: AttemptFolder } | { project: ProjectFolder };

/** What `Workspaces.create` makes a folder for. */
export interface NewAttemptFolder {
  id: AttemptId;
  project: ProjectFolder;
  isolation: Attempt["isolation"];
  /** Names the branch and the folder. */
  taskTitle: string;
  /** Number of the attempt in its task. */
  number: number;
  /** Left out: the branch that is checked out in the project's folder. */
  baseBranch?: string | undefined;
  /** The attempt to continue from: the new folder starts with its last commit and its uncommitted changes. */
  source?: (AttemptFolder & Pick<Attempt, "baseBranch">) | undefined;
}

/** What `Workspaces.create` made. */
export interface CreatedAttemptFolder {
  directory: string;
  /** Null for an attempt in place. */
  branch: string | null;
  base: AttemptBase;
}

/**
 * `present`: it was there. `restored`: it was missing and was made again from its branch. `replaced`: a symbolic link is in its
 * place. `no-repository`: it is missing, and so is the project's repository.
 */
export type RestoredFolder = "present" | "restored" | "replaced" | "no-repository";

/** Files of a worktree that have pointers of Git LFS in their place. */
export interface LfsFiles {
  /** Their content was not found, or does not match the pointers. */
  missing: number;
  /** The disk has no room for them. */
  tooLarge: number;
  /** Why missing files were not downloaded. */
  obstacle?: LfsObstacle;
  /** A download was tried. */
  wasTried: boolean;
}

/** `changed`: they would come from `url`, which is not the server that is trusted. */
export type LfsObstacle =
  | { kind: "unusable-source"; problem: LfsSourceProblem }
  | { kind: "not-trusted" }
  | { kind: "changed"; url: string }
  | { kind: "no-program" }
  | { kind: "download-failed"; message: string };

/** Where a project's Git LFS files come from. */
export interface LfsState {
  /** Path of the `git-lfs` program; null where there is none. */
  program: string | null;
  /** Null where the repository does not use Git LFS. */
  source: { hash: string; url: string } | { problem: LfsSourceProblem } | null;
}

/**
 * Projects and the folders of attempts on a host: worktrees, branches, changes and files. Arguments and results are plain data, so
 * that a host on another machine can offer the same interface. A failure that the user can fix rejects with a `ServiceError`.
 */
export interface Workspaces extends RepositoryFiles, Branches {
  /** Finds the repository that `path` is in. `path` may begin with `~`. */
  inspectRepository(input: { path: string }): Promise<RepositoryDirs>;
  /** Remembers where a new project's repository is. From then on its `.git` is not read again. */
  addProject(input: { id: ProjectId; repository: RepositoryDirs }): Promise<void>;
  /** Forgets a deleted project. Its repository stays as it is. */
  removeProject(input: { id: ProjectId }): Promise<void>;
  /** Local and remote branches, the one with the newest commit first. */
  listBranches(project: ProjectFolder): Promise<BranchList>;
  /** The base of an attempt that starts from `branch`, or from the branch that is checked out. Rejects when there is no such branch. */
  resolveBase(input: { project: ProjectFolder; branch?: string | undefined }): Promise<AttemptBase>;

  /** Makes the folder of a new attempt. A failure leaves neither a folder nor a branch. */
  create(input: NewAttemptFolder): Promise<CreatedAttemptFolder>;
  /** Reads what the files of an attempt in place are before its agent works there, for later comparisons. */
  prepareInPlace(attempt: AttemptFolder): Promise<void>;
  /** Makes a missing worktree again from its branch, without what was not committed. */
  restore(attempt: AttemptFolder): Promise<RestoredFolder>;
  /** Whether the attempt's folder is there. */
  exists(attempt: Pick<AttemptFolder, "directory">): Promise<boolean>;
  /**
   * Removes a worktree, and its branch unless that has commits that are nowhere else: then `keptBranch` names it. Nothing outside of
   * the folder of worktrees is removed. `later`: its files are moved to the trash, for `emptyTrash`.
   */
  remove(input: { attempt: AttemptFolder; later?: boolean }): Promise<{ keptBranch: string | null }>;
  /** Forgets a deleted attempt. */
  forget(input: { id: AttemptId }): Promise<void>;

  /** Everything that differs from the attempt's base, committed or not. */
  diff(attempt: AttemptFolder): Promise<AttemptDiff>;
  /** How much differs from the base; with `uncommitted`, also the number of files that differ from the last commit. */
  diffStat(input: { attempt: AttemptFolder; uncommitted: boolean }): Promise<DiffStat>;
  /** Paths that differ from the last commit, new ones included. */
  listUncommitted(attempt: AttemptFolder): Promise<string[]>;

  /**
   * Records what the folder holds at the end of an execution. `endedAt` (epoch ms) is for one that ended a while ago: its changes are
   * then marked as approximate.
   */
  recordExecution(input: { attempt: AttemptFolder; executionId: ExecutionId; endedAt?: number }): Promise<void>;
  /** Whether the end of an execution is recorded. */
  hasRecorded(input: { attempt: AttemptFolder; executionId: ExecutionId }): Promise<boolean>;
  /**
   * What changed from the last recorded end of `before` (earlier executions, oldest first) to that of `executionId`; to what the
   * folder holds now while it is running.
   */
  diffExecution(input: {
    attempt: AttemptFolder;
    executionId: ExecutionId;
    before: ExecutionId[];
    isRunning: boolean;
  }): Promise<AttemptDiff>;
  /** Deletes what was recorded for deleted executions. */
  deleteRecorded(input: { project: ProjectFolder; executionIds: ExecutionId[] }): Promise<void>;

  /** The entries of one folder. `path` is relative to the attempt's folder; links that lead out of it are rejected. */
  readFolder(input: { attempt: AttemptFolder; path: string }): Promise<FolderListing>;
  /** One file as it is now, or, with `blob` (git's id of a content), as it was where the repository has that. */
  readFile(input: { attempt: AttemptFolder; path: string; blob?: string | undefined }): Promise<FileContent>;
  /** Files and folders whose path matches what was typed, best first. What an ignore rule excludes is left out. */
  matchPaths(input: { folder: SearchedFolder; text: string; limit: number }): Promise<string[]>;

  /** Commands for `/` that the files of a folder define. Empty where they cannot be read. */
  listCommands(folder: SearchedFolder): Promise<SlashCommand[]>;

  /** Folders that complete a typed path. */
  matchFolders(input: { typed: string; limit: number }): Promise<FolderMatches>;
  /** Paths of repositories near the user's home folder, the one that was used last first. */
  findRepositories(): Promise<string[]>;
  /** Writes a path below the user's home folder with `~`. */
  toHomePath(path: string): string;

  /** Where a project's Git LFS files come from. */
  describeLfs(project: ProjectFolder): Promise<LfsState>;
  /**
   * Replaces the pointers of Git LFS files in a worktree by their contents, before an agent works there. With `signal`, which ends
   * it, missing contents are downloaded from the server that the user trusts (`trustedHash`: of `LfsState.source`).
   */
  prepareLfs(input: { attempt: AttemptFolder; trustedHash: string | null; signal?: AbortSignal }): Promise<LfsFiles>;

  /**
   * Deletes the worktrees in the trash, with pauses in between. Ends early when the signal aborts. Returns what could not be deleted.
   */
  emptyTrash(signal: AbortSignal): Promise<TrashLeft | undefined>;
  /** Removes folders that nothing refers to, unless they hold somebody's work. Returns what was done about each such worktree. */
  removeOrphans(input: KnownFolders): Promise<OrphanWorktree[]>;
  /**
   * Where the worktrees of a moved data dir are now: changes our git dirs and git's own links. Returns the attempts with a new
   * directory. `isCopy`: the worktree also exists at its old path, which git keeps using.
   */
  relocate(attempts: readonly Pick<AttemptFolder, "id" | "directory">[]): Promise<RelocatedFolder[]>;
}

/** What `Workspaces.removeOrphans` keeps. */
export interface KnownFolders {
  projects: readonly ProjectFolder[];
  attempts: readonly AttemptFolder[];
  /** Ids of further attempts and projects. */
  ids: readonly string[];
  /** Names of further worktrees. */
  worktreeNames: readonly string[];
  /** Folders that were changed after this moment (epoch ms) may belong to something that is just being made. */
  changedAfter: number;
}

/** A worktree that belongs to no attempt: its creation was cut off. */
export interface OrphanWorktree {
  directory: string;
  /** False: it may hold somebody's work. */
  removed: boolean;
}

/** A worktree at the new path of its data dir. */
export interface RelocatedFolder {
  id: AttemptId;
  directory: string;
  isCopy: boolean;
}
