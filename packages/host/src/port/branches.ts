import type {
  AttemptDiff,
  Committed,
  ConflictSides,
  ExecutionId,
  FileSelection,
  GitConflict,
  GitState,
  Landing,
  Pushed,
  Restored,
  UpdatedAttemptBase,
} from "@skein/contracts";
import type { RecoveredOperation } from "../landing/git-operation.ts";
import type { AttemptFolder, ProjectFolder } from "./workspaces.ts";

/** An attempt with the branch that it is to be landed on. */
export interface AttemptBranch extends AttemptFolder {
  baseBranch: string | null;
}

/** What the database knows about an attempt's branch, for `Branches.readGitState`. */
export interface KnownGitState {
  isRunning: boolean;
  landing: Landing | null;
}

/**
 * The branches of attempts: what is committed, updated and landed, and files that are taken back. Each operation is done whole or not at
 * all; one that a killed process has left behind is completed by `recoverOperations`. Operations on the same repository wait for each
 * other. What keeps one from being done rejects with a `ServiceError`.
 */
export interface Branches {
  readGitState(input: { attempt: AttemptBranch } & KnownGitState): Promise<GitState>;
  /** What differs from the last commit. */
  diffUncommitted(attempt: AttemptFolder): Promise<AttemptDiff>;

  /** Commits all changes, or the selected ones, by the user's git identity. Hooks do not run. */
  commit(input: { attempt: AttemptFolder; message: string; files?: FileSelection[] | undefined }): Promise<Committed>;
  /** Takes changes against the base back: files, or hunks of them. */
  discard(input: { attempt: AttemptFolder; files: FileSelection[] }): Promise<Restored>;
  /**
   * Files become what they were before or after an execution, where it or a later one changed them. `executions` are all of the
   * attempt, oldest first. Rejects where no end is recorded from which that could be known.
   */
  restoreExecution(input: {
    attempt: AttemptFolder;
    executionId: ExecutionId;
    to: "before" | "after";
    executions: ExecutionId[];
  }): Promise<Restored>;
  /** Files become what a safety ref of the attempt kept. */
  restoreSafetyRef(input: { attempt: AttemptFolder; ref: string }): Promise<Restored>;

  /** Rebases the branch onto its base branch, or merges that into it. */
  update(input: { attempt: AttemptBranch; method: "rebase" | "merge" }): Promise<UpdatedAttemptBase>;
  readConflictSides(input: { attempt: AttemptFolder; path: string }): Promise<ConflictSides>;
  /** Chooses a side or a text for a file with a conflict, or takes it as it is. */
  resolveConflict(
    input: { attempt: AttemptFolder; path: string } & ({ side: "ours" | "theirs" } | { content: string } | { asIs: true }),
  ): Promise<GitConflict>;
  /** Commits what was resolved and continues. */
  finishUpdate(attempt: AttemptFolder): Promise<UpdatedAttemptBase>;
  /** Files become what they were before the update. */
  abortUpdate(attempt: AttemptFolder): Promise<void>;

  /** Moves the base branch to the attempt's work. */
  land(input: { attempt: AttemptBranch; method: Landing["method"]; message: string }): Promise<Landing>;
  /** Takes a landing back. Rejects when the base branch has moved since. */
  undoLanding(input: { attempt: AttemptFolder; landing: Landing }): Promise<void>;

  /** Pushes the branch with the user's own credentials, or with `credential` over http(s). */
  push(input: {
    attempt: AttemptBranch;
    remote?: string | undefined;
    credential?: { username: string; token: string } | undefined;
  }): Promise<Pushed>;
  /** Attempts and projects with an operation that a killed process left behind. */
  listUnfinished(): Promise<string[]>;
  /** Completes those of `listUnfinished`, at the start of a server. */
  recoverOperations(input: { attempts: readonly AttemptFolder[]; projects: readonly ProjectFolder[] }): Promise<RecoveredOperation[]>;
}
