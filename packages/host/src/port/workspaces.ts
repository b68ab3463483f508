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
  ForkPoint,
  HostId,
  Project,
  ProjectId,
  SlashCommand,
} from "@skein/contracts";
import type { RepositoryDirs } from "../git/find-repository.ts";
import type { AttemptBase } from "../git/resolve-base.ts";
import type { EmptiedTrash } from "../git/worktree-trash.ts";
import type { ReadHooks } from "../landing/read-hooks.ts";
import type { LfsSourceProblem } from "../lfs/find-lfs-source.ts";
import type { Branches } from "./branches.ts";
import type { RepositoryFiles } from "./repository-files.ts";

/** The part of a project that its host needs. */
export type ProjectFolder = Pick<Project, "id" | "path">;

/** The folder that an attempt works in: its own worktree, or the project's folder. */
export interface AttemptFolder extends Pick<Attempt, "id" | "isolation" | "directory" | "branch" | "baseCommit"> {
  project: ProjectFolder;
  /** The host that has the folder; absent: the server's own machine. */
  hostId?: HostId | undefined;
}

/** A folder to search for files. A task without attempts has only the project's folder. */
export type SearchedFolder = { attempt: AttemptFolder } | { project: ProjectFolder };

/** A point in an attempt. `earlier` lists its executions before that one, oldest first. */
export interface AttemptPoint extends ForkPoint {
  earlier: ExecutionId[];
}

/** Input of `Workspaces.create`. */
export interface NewAttemptFolder {
  id: AttemptId;
  /** Where to create it; absent: on the server's own machine. */
  hostId?: HostId | undefined;
  project: ProjectFolder;
  isolation: Attempt["isolation"];
  /** Used in the names of branch and folder. */
  taskTitle: string;
  /** Number of the attempt in its task. */
  number: number;
  /** Default: the branch that is checked out in the project's folder. */
  baseBranch?: string | undefined;
  /** The attempt to continue from: the new folder starts at its last commit with its uncommitted changes. */
  source?: (AttemptFolder & Pick<Attempt, "baseBranch">) | undefined;
  /** Instead of what `source` holds now: what it held then. Rejects if that was not recorded. Only for a worktree. */
  sourcePoint?: AttemptPoint | undefined;
}

/** Result of `Workspaces.create`. */
export interface CreatedAttemptFolder {
  directory: string;
  /** Null for an in-place attempt. */
  branch: string | null;
  base: AttemptBase;
}

/**
 * `present`: the folder exists. `restored`: it was missing and was recreated from its branch. `replaced`: a symbolic link is in its
 * place. `no-repository`: folder and repository are both missing.
 */
export type RestoredFolder = "present" | "restored" | "replaced" | "no-repository";

/** Files of a worktree that are still Git LFS pointers. */
export interface LfsFiles {
  /** Their content was not found, or does not match the pointers. */
  missing: number;
  /** The disk does not have enough free space. */
  tooLarge: number;
  /** Why missing files were not downloaded. */
  obstacle?: LfsObstacle;
  /** A download was attempted. */
  wasTried: boolean;
}

/** `changed`: the files would come from `url`, which is not the trusted server. */
export type LfsObstacle =
  | { kind: "unusable-source"; problem: LfsSourceProblem }
  | { kind: "not-trusted" }
  | { kind: "changed"; url: string }
  | { kind: "no-program" }
  | { kind: "download-failed"; message: string };

/** Source of a project's Git LFS files. */
export interface LfsState {
  /** Path of the `git-lfs` program; null if it is not installed. */
  program: string | null;
  /** Null if the repository does not use Git LFS. */
  source: { hash: string; url: string } | { problem: LfsSourceProblem } | null;
}

/** Result of `Workspaces.nameFolders`. Each folder has its path and, if that differs, its path without symbolic links. */
export interface FolderNames {
  /** In the order of the input. */
  directories: string[][];
  /** The folder of all worktrees. */
  worktrees: string[];
  /** The folder with everything that the host keeps, including the worktrees. */
  dataDir: string[];
  /** The user's home folder. */
  userHome: string;
}

/** Projects and the folders of attempts on a host: worktrees, branches, changes and files. */
export interface Workspaces extends RepositoryFiles, Branches {
  /** Finds the repository that contains `path`, which may begin with `~`. */
  inspectRepository(input: { path: string }): Promise<RepositoryDirs>;
  /** Records the repository of a new project. From then on its `.git` is not read again. */
  addProject(input: { id: ProjectId; repository: RepositoryDirs }): Promise<void>;
  /** Forgets a deleted project. Its repository is not changed. */
  removeProject(input: { id: ProjectId }): Promise<void>;
  /** Local and remote branches, most recent commit first. */
  listBranches(project: ProjectFolder): Promise<BranchList>;
  /** Resolves the base of an attempt: `branch`, or the checked-out branch. Rejects if the branch does not exist. */
  resolveBase(input: { project: ProjectFolder; branch?: string | undefined }): Promise<AttemptBase>;

  /** Hooks that a commit or a push in `directory`, a folder of the project, would run. Runs nothing. */
  readHooks(input: { project: ProjectFolder; directory: string }): Promise<ReadHooks>;

  /**
   * Creates the folder of a new attempt. Leaves neither folder nor branch on failure; after a kill, and until `keepCreation`, it is listed
   * as a creation.
   */
  create(input: NewAttemptFolder): Promise<CreatedAttemptFolder>;
  /** What was made here, or is being made, for attempts of which it is not known whether they were saved. */
  listCreations(): Promise<Creation[]>;
  /** The attempt is saved: what was made for it stays. */
  keepCreation(input: { id: AttemptId }): Promise<void>;
  /**
   * Removes what was made for an attempt that was not saved; once its creation has ended, if that is in progress. `folderOnly`: it is saved,
   * and its folder is on another host.
   */
  removeCreation(input: { id: AttemptId; folderOnly: boolean }): Promise<void>;
  /** Records the files of an in-place attempt before its agent starts, for later comparisons. */
  prepareInPlace(attempt: AttemptFolder): Promise<void>;
  /** Recreates a missing worktree from its branch, without uncommitted changes. */
  restore(attempt: AttemptFolder): Promise<RestoredFolder>;
  /** Whether a folder exists, or with `path`, which is absolute or relative to it, a file. */
  exists(input: { directory: string; path?: string }): Promise<boolean>;
  /**
   * Removes a worktree, and its branch unless that has commits that exist nowhere else; `keptBranch` then names it. Removes nothing
   * outside the folder of worktrees. `later`: moves the files to the trash, for `emptyTrash`.
   */
  remove(input: { attempt: AttemptFolder; later?: boolean }): Promise<{ keptBranch: string | null }>;
  /**
   * Removes the worktree of an attempt, and keeps its branch, safety refs and recorded content: `restore` recreates it. Returns false and
   * removes nothing if the folder has uncommitted changes, or its branch is not at `head`. The files go to the trash, for `emptyTrash`.
   */
  removeFolder(input: { attempt: AttemptFolder; head: string }): Promise<boolean>;
  /** Removes the home folder that sandboxes made for an attempt. The files go to the trash. */
  removeSandboxHome(input: { id: AttemptId }): Promise<void>;
  /** Forgets a deleted attempt. */
  forget(input: { id: AttemptId }): Promise<void>;

  /** Everything that differs from the attempt's base, committed or not. */
  diff(attempt: AttemptFolder): Promise<AttemptDiff>;
  /** Line and file counts against the base; with `uncommitted`, also the number of files that differ from the last commit. */
  diffStat(input: { attempt: AttemptFolder; uncommitted: boolean }): Promise<DiffStat>;
  /** Paths that differ from the last commit, including new ones. */
  listUncommitted(attempt: AttemptFolder): Promise<string[]>;
  /** The tree (git's object id) of the folder's current content, ignored files left out. Nothing is stored. */
  identifyContent(attempt: AttemptFolder): Promise<string>;

  /**
   * Records the folder's content at the end of an execution. Pass `endedAt` (epoch ms) for an execution that ended earlier: its changes
   * are marked as approximate if files changed after it.
   */
  recordExecution(input: { attempt: AttemptFolder; executionId: ExecutionId; endedAt?: number }): Promise<void>;
  /** Records the folder's content before an execution's agent starts. `previous` is the execution before. */
  recordExecutionStart(input: { attempt: AttemptFolder; executionId: ExecutionId; previous?: ExecutionId | undefined }): Promise<void>;
  /** Whether the end of an execution is recorded. */
  hasRecorded(input: { attempt: AttemptFolder; executionId: ExecutionId }): Promise<boolean>;
  /**
   * What changed from the start of `executionId` to its end, or to the current folder while it is running. Where the start is not recorded:
   * from the last recorded end among `before` (earlier executions, oldest first).
   */
  diffExecution(input: {
    attempt: AttemptFolder;
    executionId: ExecutionId;
    before: ExecutionId[];
    isRunning: boolean;
  }): Promise<AttemptDiff>;
  /** Deletes the recorded content of deleted executions. */
  deleteRecorded(input: { project: ProjectFolder; executionIds: ExecutionId[] }): Promise<void>;

  /** Lists one folder. `path` is relative to the attempt's folder; links that lead out of it are rejected. */
  readFolder(input: { attempt: AttemptFolder; path: string }): Promise<FolderListing>;
  /** Reads a file as it is now, or, with `blob` (git's object id), an earlier content that the repository has. */
  readFile(input: { attempt: AttemptFolder; path: string; blob?: string | undefined }): Promise<FileContent>;
  /** Fuzzy search for files and folders, best match first. Ignored files are left out. */
  matchPaths(input: { folder: SearchedFolder; text: string; limit: number }): Promise<string[]>;

  /** Slash commands that the files of a folder define. Empty if they cannot be read. */
  listCommands(folder: SearchedFolder): Promise<SlashCommand[]>;

  /** Completes a typed folder path. */
  matchFolders(input: { typed: string; limit: number }): Promise<FolderMatches>;
  /** Repositories near the user's home folder, most recently used first. In `shown` the home folder is written as `~`. */
  findRepositories(): Promise<{ path: string; shown: string }[]>;

  /** Paths by which programs may name folders, for finding and rewriting them in texts. */
  nameFolders(input: { directories: readonly string[] }): Promise<FolderNames>;
  /**
   * Files at or below a path that were created, changed or removed between two times (epoch ms). Checks only the first 2,000 entries of
   * a large folder; a removed file shows only as a change of its folder.
   */
  findRecentChanges(input: { path: string; from: number; to: number }): Promise<string[]>;
  /** The directory that a worktree with the name of the given one has on this host. */
  locateWorktree(input: { directory: string }): Promise<string>;

  /** Describes the source of a project's Git LFS files. */
  describeLfs(project: ProjectFolder): Promise<LfsState>;
  /**
   * Replaces Git LFS pointers in a worktree by their contents before an agent starts. With `download`, missing contents are downloaded
   * from the server that the user trusts (`trustedHash`, from `LfsState.source`), until `cancelLfsDownload`.
   */
  prepareLfs(input: { attempt: AttemptFolder; trustedHash: string | null; download: boolean }): Promise<LfsFiles>;
  /** Cancels the download for an attempt, if there is one. Never rejects. */
  cancelLfsDownload(input: { id: AttemptId }): Promise<void>;

  /** Deletes up to `limit` files of the worktrees in the trash, with pauses. Call it again while `hasMore`. */
  emptyTrash(input: { limit: number }): Promise<EmptiedTrash>;
  /** Removes unreferenced folders unless they may contain work. Reports what happened to each such worktree. */
  removeOrphans(input: KnownFolders): Promise<OrphanWorktree[]>;
  /**
   * Updates our git dirs and git's own links after the data dir was moved. Returns the attempts with a new directory. `isCopy`: the
   * worktree also exists at its old path, which git keeps using.
   */
  relocate(attempts: readonly Pick<AttemptFolder, "id" | "directory">[]): Promise<RelocatedFolder[]>;
}

/** What was made for an attempt before it is saved. */
export interface Creation {
  id: AttemptId;
  projectId: ProjectId;
  /** For the branch on the host with the repository: where the folder is made. Null: here. */
  folderOn: HostId | null;
}

/** The folders that `Workspaces.removeOrphans` keeps. */
export interface KnownFolders {
  projects: readonly ProjectFolder[];
  attempts: readonly AttemptFolder[];
  /** Ids of more attempts and projects. */
  ids: readonly string[];
  /** Names of more worktrees. */
  worktreeNames: readonly string[];
  /** Keeps folders that changed after this time (epoch ms): they may still be in creation. */
  changedAfter: number;
}

/** A worktree that belongs to no attempt because its creation was interrupted. */
export interface OrphanWorktree {
  directory: string;
  /** False: kept, because it may contain work. */
  removed: boolean;
}

/** A worktree at the new path of its data dir. */
export interface RelocatedFolder {
  id: AttemptId;
  directory: string;
  isCopy: boolean;
}
