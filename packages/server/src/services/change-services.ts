import type {
  Actor,
  AttemptDiff,
  AttemptId,
  CommandResult,
  CommentId,
  CommitMessageModel,
  Committed,
  ConflictSides,
  commitSchema,
  createCommentSchema,
  discardSchema,
  GitState,
  Landing,
  landRequestSchema,
  OpenedPullRequest,
  openPullRequestSchema,
  PullRequest,
  PullRequestPlan,
  Pushed,
  pushRequestSchema,
  ResolveConflict,
  Restored,
  Review,
  ReviewComment,
  restoreSchema,
  SetViewed,
  SuggestCommitMessage,
  SuggestedCommitMessage,
  sendPullRequestFeedbackSchema,
  sendReviewSchema,
  UpdateComment,
  UpdatedAttemptBase,
  updateAttemptBaseSchema,
} from "@skein/contracts";
import type { z } from "zod";

/** Comments on an attempt's changes. */
export interface ReviewService {
  get(id: AttemptId): Promise<Review>;
  /** Repeating an id returns the comment that it created. */
  addComment(id: AttemptId, input: z.output<typeof createCommentSchema>, by?: Actor): Promise<ReviewComment>;
  /** Rejects with code `comment-sent` if the text of a sent comment is changed. */
  updateComment(id: CommentId, changes: UpdateComment): Promise<ReviewComment>;
  removeComment(id: CommentId): Promise<void>;
  /** Sends all drafts as one message; while an agent runs, it waits in the queue. Repeating an id does nothing. */
  send(id: AttemptId, input: z.output<typeof sendReviewSchema>, by?: Actor): Promise<CommandResult>;
  setViewed(id: AttemptId, input: SetViewed): Promise<void>;
}

/**
 * What is done with the work of an attempt. While its agent works, all but `state` and `uncommitted` reject with code
 * `agent-working`; other codes are those of `GitObstacle`.
 */
export interface BranchService {
  state(id: AttemptId): Promise<GitState>;
  /** What differs from the last commit. */
  uncommitted(id: AttemptId): Promise<AttemptDiff>;
  commit(id: AttemptId, input: z.output<typeof commitSchema>): Promise<Committed>;
  /** The model that would suggest a commit message. */
  messageModel(id: AttemptId): Promise<CommitMessageModel>;
  /** Sends a part of the uncommitted diff, without recognised secrets, to that model. */
  suggestMessage(id: AttemptId, input: SuggestCommitMessage): Promise<SuggestedCommitMessage>;
  discard(id: AttemptId, input: z.output<typeof discardSchema>): Promise<Restored>;
  restore(id: AttemptId, target: z.output<typeof restoreSchema>): Promise<Restored>;
  update(id: AttemptId, input: z.output<typeof updateAttemptBaseSchema>): Promise<UpdatedAttemptBase>;
  conflictSides(id: AttemptId, path: string): Promise<ConflictSides>;
  resolve(id: AttemptId, resolution: ResolveConflict, by?: Actor): Promise<GitState>;
  /** Completes the task. */
  land(id: AttemptId, input: z.output<typeof landRequestSchema>, by?: Actor): Promise<Landing>;
  undoLanding(id: AttemptId): Promise<GitState>;
  /** `credential` is used over http(s) if the user's own git settings have none. */
  push(
    id: AttemptId,
    input: z.output<typeof pushRequestSchema>,
    credential?: { username: string; token: string; host: string },
  ): Promise<Pushed>;
  /** At the start: completes operations of a killed server. */
  recover(): Promise<void>;
}

/** Pull requests of attempts, on the forge of their remote. */
export interface PullRequestService {
  /** What would be opened, with the texts filled in. */
  plan(id: AttemptId): Promise<PullRequestPlan>;
  /** Pushes the branch, then creates the pull request or updates it. Pushes only if no known forge runs on the remote's host. */
  open(id: AttemptId, input: z.output<typeof openPullRequestSchema>): Promise<OpenedPullRequest>;
  /** Asks the forge now. Its failure is in `problem`. */
  check(id: AttemptId): Promise<PullRequest>;
  /** Sends failed checks and comments that were not sent yet as one message. The same id again does nothing. */
  sendFeedback(id: AttemptId, input: z.output<typeof sendPullRequestFeedbackSchema>, by?: Actor): Promise<CommandResult>;
  /** Somebody looks at the attempt: its pull request is watched. */
  look(id: AttemptId): Promise<void>;
  /** Starts watching what is open, after a start. */
  watch(): void;
  close(): Promise<void>;
}
