import type {
  AttemptDiff,
  BranchState,
  Committed,
  ConflictSides,
  ExecutionId,
  FileSelection,
  GitConflict,
  Landing,
  Pushed,
  Restored,
  UpdatedAttemptBase,
} from "@skein/contracts";
import type { RecoveredOperation } from "../landing/git-operation.ts";

import type { TrustedHooks } from "../landing/run-hooks.ts";

export type { RecoveredOperation, TrustedHooks };

import type { AttemptFolder, ProjectFolder } from "./workspaces.ts";

/** An attempt with the branch that it lands on. */
export interface AttemptBranch extends AttemptFolder {
  baseBranch: string | null;
}

/** Stored state of an attempt's branch, for `Branches.readGitState`. */
export interface KnownGitState {
  isRunning: boolean;
  landing: Landing | null;
}

/**
 * The branches of attempts: commit, discard, restore, update, land and push. Operations are atomic; `recoverOperations` completes those
 * that a killed process left unfinished, or that failed halfway, such as on a full disk. Until then, others in the same folder reject.
 * Operations on the same repository are serialised. An operation that is not possible rejects with a `ServiceError`.
 */
export interface Branches {
  /** Base, commits ahead and behind, uncommitted files, conflict, safety refs and remote of the attempt's branch. */
  readGitState(input: { attempt: AttemptBranch } & KnownGitState): Promise<BranchState>;
  /** The uncommitted changes. */
  diffUncommitted(attempt: AttemptFolder): Promise<AttemptDiff>;

  /** Commits all changes, or the selected ones, with the user's git identity. Rejects with code `hook-refused` if a hook fails. */
  commit(input: {
    attempt: AttemptFolder;
    message: string;
    files?: FileSelection[] | undefined;
    hooks?: TrustedHooks | undefined;
  }): Promise<Omit<Committed, "hooks"> & { hookOutput: string }>;
  /** Discards changes against the base: files, or hunks of them. A safety ref keeps the previous content. */
  discard(input: { attempt: AttemptFolder; files: FileSelection[] }): Promise<Restored>;
  /**
   * Restores files that the execution or a later one changed to their content before or after it. `executions` lists all executions
   * of the attempt, oldest first. Rejects if the end that it needs is not recorded.
   */
  restoreExecution(input: {
    attempt: AttemptFolder;
    executionId: ExecutionId;
    to: "before" | "after";
    executions: ExecutionId[];
  }): Promise<Restored>;
  /** Restores files from a safety ref of the attempt. */
  restoreSafetyRef(input: { attempt: AttemptFolder; ref: string }): Promise<Restored>;

  /** Rebases the branch onto its base branch, or merges that into it. What was landed before (`landing`) is not applied again. */
  update(input: { attempt: AttemptBranch; method: "rebase" | "merge"; landing: Landing | null }): Promise<UpdatedAttemptBase>;
  /** All sides of a file with a conflict. */
  readConflictSides(input: { attempt: AttemptFolder; path: string }): Promise<ConflictSides>;
  /**
   * Resolves a file with a conflict: by one side, by a text, or with its current content. Rejects a text if the file is not the one of
   * `currentId` (of `readConflictSides`) any more.
   */
  resolveConflict(
    input: { attempt: AttemptFolder; path: string } & (
      | { side: "ours" | "theirs" }
      | { content: string; currentId?: string | undefined }
      | { asIs: true }
    ),
  ): Promise<GitConflict>;
  /** Commits the resolved files and continues the update. */
  finishUpdate(attempt: AttemptFolder): Promise<UpdatedAttemptBase>;
  /** Restores the state before the update. */
  abortUpdate(attempt: AttemptFolder): Promise<void>;

  /** Moves the base branch to the attempt's work; if it was landed before (`landed`), to what came later. */
  land(input: { attempt: AttemptBranch; method: Landing["method"]; message: string; landed: Landing | null }): Promise<Landing>;
  /** Undoes a landing. Rejects if the base branch has moved since. */
  undoLanding(input: { attempt: AttemptFolder; landing: Landing }): Promise<void>;

  /** Pushes the branch with the user's own credentials, or over https with `credential`, if the remote is on its host. */
  push(input: {
    attempt: AttemptBranch;
    remote?: string | undefined;
    credential?: { username: string; token: string; host: string } | undefined;
    hooks?: TrustedHooks | undefined;
  }): Promise<Omit<Pushed, "hooks"> & { hookOutput: string }>;
  /** Ids of attempts and projects with an operation that is unfinished. */
  listUnfinished(): Promise<string[]>;
  /** Completes the operations of `listUnfinished`: at the start of a server, and before the next operation or agent in the folder. */
  recoverOperations(input: { attempts: readonly AttemptFolder[]; projects: readonly ProjectFolder[] }): Promise<RecoveredOperation[]>;
}
