import type { AttemptDiff, AttemptId } from "@skein/contracts";
import type { FetchReport } from "../git/fetch-remote.ts";
import type { AttemptBase } from "../git/resolve-base.ts";
import type { CarriedFile, CopyProblem } from "../repository/copy-files.ts";
import type { AttemptFolder, NewAttemptFolder, ProjectFolder } from "./workspaces.ts";

/** The folder of an attempt as objects of its repository. */
export interface AttemptWork {
  /** Name without `refs/heads/`. */
  branch: string;
  /** Its last commit. */
  head: string;
  /** The files, committed or not. Ignored ones are not part of it. */
  tree: string;
  /** What was recorded at the start and at the end of executions. `name` is the execution's id, with `.start` for its start. */
  recorded: readonly { name: string; tree: string; isExact: boolean; head: string | null }[];
  safetyRefs: readonly { ref: string; commit: string }[];
}

/** Where a new attempt starts. */
export interface ReservedAttempt {
  /** Exists in the repository, at `commit`. */
  branch: string;
  base: AttemptBase;
  commit: string;
  /** Files to start with, if they differ from those of the commit. */
  tree: string | null;
  folderName: string;
}

/**
 * Carries work between hosts by git objects. The repository of a project is on the server; another host has a copy with the objects that
 * its attempts need. The server keeps a mirror of each attempt on another host: its branch, and what its executions recorded.
 */
export interface Transfers {
  /** Commits that the repository's refs name, the newest first; empty if the host has no repository of the project. */
  listTips(project: ProjectFolder): Promise<string[]>;
  /** Those of `ids` that the repository does not have. */
  findMissing(input: { project: ProjectFolder; ids: readonly string[] }): Promise<string[]>;
  /** The objects of `wants` with everything they refer to, as a pack, without what `haves` refer to. Unknown `haves` are ignored. */
  readPack(input: { project: ProjectFolder; wants: readonly string[]; haves: readonly string[] }): AsyncIterable<Uint8Array>;
  /** Adds the objects of a pack. Creates the repository if there is none. Rejects an incomplete pack. */
  storePack(input: { project: ProjectFolder; objectFormat: "sha1" | "sha256"; pack: AsyncIterable<Uint8Array> }): Promise<void>;
  /** Where another machine can fetch the repository from, without credentials; null if it has no remote that others reach. */
  findRemote(project: ProjectFolder): Promise<string | null>;
  /**
   * Fetches the branches of a remote into the copy of a repository, with this machine's own git settings and credentials. Creates the
   * copy if there is none. Does not reject because of the remote: what is missing afterwards is carried as a pack.
   */
  fetchRemote(input: { project: ProjectFolder; objectFormat: "sha1" | "sha256"; url: string }): AsyncIterable<FetchReport>;
  /** Who commits in the project's repository; null if its settings and the user's name nobody. */
  readIdentity(project: ProjectFolder): Promise<{ name: string; email: string } | null>;
  /** Sets refs in the copy of a repository, and who commits there. */
  setRefs(input: {
    project: ProjectFolder;
    refs: readonly { ref: string; commit: string }[];
    identity: { name: string; email: string } | null;
  }): Promise<void>;

  /** Writes what an attempt's folder holds now as objects. Null if its branch is gone or not checked out. */
  readWork(attempt: AttemptFolder): Promise<AttemptWork | null>;
  /** Creates the branch of a new attempt, without a folder. A `source` on another host is read from its mirror. */
  reserve(input: NewAttemptFolder): Promise<ReservedAttempt>;
  /** Creates the folder of an attempt from objects that the repository has. Leaves nothing on failure. */
  adopt(input: {
    id: AttemptId;
    project: ProjectFolder;
    baseCommit: string | null;
    folderName: string;
    work: AttemptWork;
  }): Promise<{ directory: string }>;

  /** Keeps the work of an attempt on another host: refs and records. The objects must be there. */
  saveMirror(input: { attempt: AttemptFolder; work: AttemptWork }): Promise<void>;
  /** The last saved work; null if there is none. */
  readMirror(attempt: AttemptFolder): Promise<AttemptWork | null>;
  /** What the last saved work changes against the attempt's base. */
  diffMirror(attempt: AttemptFolder): Promise<AttemptDiff>;

  /** The files of a folder that match patterns, for `writeFiles` on another host. Like `Workspaces.copyFiles`. */
  readFiles(input: { from: string; patterns: readonly string[] }): AsyncIterable<CarriedFile>;
  /** Writes files that do not exist yet. */
  writeFiles(input: { to: string; files: AsyncIterable<CarriedFile> }): Promise<{ problems: CopyProblem[] }>;
}
