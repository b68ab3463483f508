import type {
  Approval,
  ApprovalAnswers,
  ApprovalDecision,
  ApprovalId,
  ApprovalTampering,
  Attempt,
  AttemptId,
  AttemptSummary,
  CommandResult,
  CommentId,
  CommentState,
  Compression,
  ConversationMessage,
  EndedExecution,
  Execution,
  ExecutionId,
  GrantId,
  InboxItem,
  JsonValue,
  Landing,
  MessageId,
  PlanApproval,
  Project,
  ProjectId,
  QueuedMessage,
  QueuedMessageId,
  QueuePause,
  QueueState,
  RunningExecution,
  SearchHit,
  SequencedEvent,
  SkeinEvent,
  StoredComment,
  StoredGrant,
  StoredMessage,
  StoredPullRequest,
  SummaryId,
  Task,
  TaskActivity,
  TaskId,
  TaskStatus,
  UsageQuery,
  UsageReport,
  ViewedFile,
} from "@skein/contracts";
import type { SnapshotEntry } from "../processing/processor-state.ts";

/** How far an execution's log has been read, and the decoder's and the processor's state there. Stored with what was read up to it. */
export interface IngestPosition {
  /** Bytes of the execution log whose content is committed. */
  offset: number;
  /** Null at the start and once the execution has ended: it has no entries then either. */
  ingestState: JsonValue | null;
  /**
   * Parts of the state that are stored one by one. Read: all of them, the one that was written last at the end. Written: those
   * that changed; null removes one.
   */
  entries: readonly SnapshotEntry[];
}

/** Which server uses the database: an older copy of it that is restored can be distinguished from the one that was used last. */
export interface StorageInstance {
  /** A new one with each start of a server. */
  epoch: string;
  /** The data dir that paths in the database lead into. */
  home: string;
}

/** Where a task is in a list. A task need not be there any more for those after it to be found. */
export type TaskPlace = Pick<Task, "position" | "createdAt" | "id">;

/** How much is read at once. At least one row is read, whatever its size. */
export interface SliceLimits {
  limit: number;
  /** Stored bytes of all rows together. */
  maxBytes: number;
}

/** Reads committed data only. Lists are oldest first unless they say otherwise. */
export interface StorageReader {
  /** Undefined until a server has used the database. */
  findInstance(): Promise<StorageInstance | undefined>;
  listProjects(): Promise<Project[]>;
  findProject(query: { id: ProjectId } | { path: string }): Promise<Project | undefined>;
  /** By position, then creation; all of them, or `limit` after a place in that order. */
  listTasks(query?: {
    projectId?: ProjectId;
    status?: TaskStatus;
    archived?: boolean;
    after?: TaskPlace | undefined;
    limit?: number | undefined;
  }): Promise<Task[]>;
  findLastTaskPosition(query: { projectId: ProjectId }): Promise<number | undefined>;
  findTask(query: { id: TaskId }): Promise<Task | undefined>;
  /** Ids of tasks and attempts that begin with `prefix`, in order. */
  findIds(query: { prefix: string; limit: number }): Promise<(TaskId | AttemptId)[]>;
  listAttempts(query: { taskId: TaskId }): Promise<Attempt[]>;
  findAttempt(query: { id: AttemptId }): Promise<Attempt | undefined>;
  listExecutions(query: { attemptId: AttemptId }): Promise<Execution[]>;
  /** Those of `listExecutions`, without reading them: an attempt may have thousands. */
  listExecutionIds(query: { attemptId: AttemptId }): Promise<ExecutionId[]>;
  findExecution(query: { id: ExecutionId }): Promise<Execution | undefined>;
  listRunningExecutions(query?: { attemptId?: AttemptId; taskId?: TaskId }): Promise<RunningExecution[]>;
  /** What is happening in these tasks, by their id. Takes a fixed number of queries, however many tasks there are. */
  listActivities(query: { taskIds: readonly TaskId[] }): Promise<Map<TaskId, TaskActivity>>;
  /** Sums and last ends of the attempts of a task; those without an ended execution are left out. */
  listAttemptTotals(query: { taskId: TaskId }): Promise<Map<AttemptId, Pick<AttemptSummary, "totals" | "lastEnd">>>;
  getIngestPosition(query: { executionId: ExecutionId }): Promise<IngestPosition>;
  /** In the order in which a request needs them: by execution, then position; all of them, or `limit` from `offset` on. */
  listMessages(query: { attemptId: AttemptId; offset?: number; limit?: number }): Promise<StoredMessage[]>;
  /**
   * The next messages in the order of `listMessages`: those after the message `after`, or the first ones. Costs the same at any
   * place of any history. Empty at the end. Rejects when `after` is not a message of the attempt.
   */
  listNextMessages(query: { attemptId: AttemptId; after?: MessageId | undefined } & SliceLimits): Promise<StoredMessage[]>;
  /**
   * How many messages each execution of an attempt has, in the order of `listMessages`; those without any are left out. Other
   * queries may run in between: use a snapshot for counts of one moment.
   */
  countMessages(query: { attemptId: AttemptId }): Promise<{ executionId: ExecutionId; count: number }[]>;
  /** Which messages an execution has from the position `from` on, in the order of `listMessages`, without reading them. */
  listMessagePlaces(query: { executionId: ExecutionId; from?: number; limit?: number }): Promise<Pick<StoredMessage, "id" | "position">[]>;
  findMessage(query: { id: MessageId }): Promise<StoredMessage | undefined>;
  /**
   * The `limit` newest messages before the message `before`, or the `limit` oldest from the message `from` on, itself
   * included; oldest first. `hasMore`: there are more in the direction that was asked for.
   */
  listConversationMessages(query: {
    attemptId: AttemptId;
    before?: string | undefined;
    from?: string | undefined;
    limit: number;
  }): Promise<{ messages: ConversationMessage[]; hasMore: boolean }>;
  /** The next messages of the conversation after the message `after`, or the first ones, as `listNextMessages` returns them. */
  listNextConversationMessages(query: { attemptId: AttemptId; after?: string | undefined } & SliceLimits): Promise<ConversationMessage[]>;
  /** Ids of the messages that hold the text, upper or lower case, in the order of the conversation. */
  findConversationMessages(query: { attemptId: AttemptId; text: string; limit: number }): Promise<string[]>;
  listQueuedMessages(query: { attemptId: AttemptId }): Promise<QueuedMessage[]>;
  findQueuedMessage(query: { id: QueuedMessageId }): Promise<QueuedMessage | undefined>;
  /** The messages that wait, and whether the queue is paused. */
  getQueue(query: { attemptId: AttemptId }): Promise<QueueState>;
  findApproval(query: { id: ApprovalId }): Promise<Approval | undefined>;
  listApprovals(query: { attemptId?: AttemptId; executionId?: ExecutionId; status?: Approval["status"] }): Promise<Approval[]>;
  /** What is open, oldest first. */
  listInboxItems(): Promise<InboxItem[]>;
  findInboxItem(query: { id: ExecutionId }): Promise<InboxItem | undefined>;
  listComments(query: { attemptId: AttemptId; state?: CommentState }): Promise<StoredComment[]>;
  findComment(query: { id: CommentId }): Promise<StoredComment | undefined>;
  /** By path. */
  listViewedFiles(query: { attemptId: AttemptId }): Promise<ViewedFile[]>;
  findLanding(query: { attemptId: AttemptId }): Promise<Landing | undefined>;
  findPullRequest(query: { attemptId: AttemptId }): Promise<StoredPullRequest | undefined>;
  /** Those that a forge is to be asked about, the next one first. */
  listWatchedPullRequests(query: { limit: number }): Promise<StoredPullRequest[]>;
  listGrants(query: { projectId: ProjectId }): Promise<StoredGrant[]>;
  findCommandResult(query: { id: string }): Promise<CommandResult | undefined>;
  /** The active summary and pruning. */
  getCompression(query: { attemptId: AttemptId }): Promise<Compression>;
  /** Events after `after`, in order, each with its subject in its current state. Events about deleted things are left out. */
  listEvents(query: { after: number; limit: number; taskId?: TaskId }): Promise<SequencedEvent[]>;
  getLastSeq(): Promise<number>;
  /** Tasks that exist and have events after `after`, ordered by id and beginning behind `behind`. */
  listChangedTasks(query: { after: number; behind?: TaskId; limit: number }): Promise<TaskId[]>;
  /** Numbers of the events after `after` that name a project: of projects, and of tasks that were deleted. In order. */
  listProjectEventNumbers(query: { after: number }): Promise<number[]>;
  /** Those of the events whose subject still exists, in order. */
  findEvents(query: { numbers: readonly number[] }): Promise<SequencedEvent[]>;
  /** Rejects with the signal's reason when it is aborted. */
  search(query: { text: string; limit: number; signal?: AbortSignal | undefined }): Promise<SearchHit[]>;
  /** The owners of executions, ordered by id, after `behind`. */
  listExecutionOwners(query: {
    behind?: ExecutionId;
    limit: number;
  }): Promise<{ executionId: ExecutionId; projectId: ProjectId; isRunning: boolean }[]>;
  /** The folders of attempts that have one of their own. */
  listWorktrees(): Promise<{ directory: string; projectId: ProjectId }[]>;
  /** Messages of deleted attempts that `purgeDeleted` has not removed yet, about. */
  countDeletedMessages(): Promise<number>;
  /** Of executions that have ended and started from `from` to before `to`. */
  reportUsage(query: UsageQuery): Promise<UsageReport>;
}

/** Writes of one unit of work. Constraint violations reject with `StorageConstraintError`. */
export interface StorageTransaction extends StorageReader {
  putInstance(instance: StorageInstance): Promise<void>;
  insertProject(project: Project): Promise<void>;
  updateProject(project: Project): Promise<void>;
  /**
   * With all its tasks and what belongs to them. Takes the same time for any number of messages: they are no longer found, and
   * `purgeDeleted` removes them, their index entries and their events later.
   */
  deleteProject(query: { id: ProjectId }): Promise<void>;
  /** `activeAttemptId` is not written: it follows from the attempts. */
  insertTask(task: Task): Promise<void>;
  updateTask(task: Task): Promise<void>;
  deleteTask(query: { id: TaskId }): Promise<void>;
  /** An active attempt makes the one that was active inactive. */
  insertAttempt(attempt: Attempt): Promise<void>;
  /** `active` is not written: see `activateAttempt`. */
  updateAttempt(attempt: Attempt): Promise<void>;
  activateAttempt(query: { id: AttemptId; at: number }): Promise<void>;
  deleteAttempt(query: { id: AttemptId }): Promise<void>;
  /** Rejects when another execution of the attempt is running. */
  insertExecution(execution: RunningExecution): Promise<void>;
  /** False when it had ended before: the first end wins. */
  endExecution(execution: EndedExecution): Promise<boolean>;
  /** Inserts, or replaces the message of the same id. */
  putMessages(messages: readonly StoredMessage[]): Promise<void>;
  /**
   * Inserts at the end, or updates the message of the same id when the revision is higher. A message that
   * `replaces` others takes the place of the first of them and they are gone.
   */
  putConversationMessages(input: {
    attemptId: AttemptId;
    executionId: ExecutionId;
    messages: readonly ConversationMessage[];
  }): Promise<void>;
  /**
   * `putConversationMessages`, and a `message:added` event for each, in their order: the events lead to the same conversation
   * wherever a client starts to read them. Made for thousands of messages.
   */
  addConversationMessages(input: {
    taskId: TaskId;
    attemptId: AttemptId;
    executionId: ExecutionId;
    messages: readonly ConversationMessage[];
    at: number;
  }): Promise<void>;
  setIngestPosition(input: { executionId: ExecutionId } & IngestPosition): Promise<void>;
  insertQueuedMessage(message: QueuedMessage): Promise<void>;
  updateQueuedMessage(message: QueuedMessage): Promise<void>;
  /** Puts a message that waits before another one of its attempt, or at the end. */
  moveQueuedMessage(query: { id: QueuedMessageId; before: QueuedMessageId | null }): Promise<void>;
  /** Null ends the pause; so does the deletion of the last message that waits. */
  setQueuePause(input: { attemptId: AttemptId; pause: QueuePause | null }): Promise<void>;
  /** False when it was no longer there. */
  deleteQueuedMessage(query: { id: QueuedMessageId }): Promise<boolean>;
  /** False when an approval for this tool use of this execution is known: a log that is read again asks again. */
  insertApproval(approval: Approval): Promise<boolean>;
  /** The answered approval, or undefined when it was not pending: the first answer wins. */
  answerApproval(input: {
    id: ApprovalId;
    decision: ApprovalDecision;
    answerReason: string | null;
    answers?: ApprovalAnswers | undefined;
    plan?: PlanApproval | undefined;
    resolvedAt: number;
  }): Promise<Approval | undefined>;
  /** The approval with its mark; undefined when it was not pending, or was marked before. */
  markApprovalTampered(input: { executionId: ExecutionId; toolUseId: string; tampering: ApprovalTampering }): Promise<Approval | undefined>;
  /** Inserts, or replaces the comment of the same id. */
  putComment(comment: StoredComment): Promise<void>;
  /** False when it was not there. */
  deleteComment(query: { id: CommentId }): Promise<boolean>;
  putViewedFile(input: { attemptId: AttemptId } & ViewedFile): Promise<void>;
  deleteViewedFile(query: { attemptId: AttemptId; path: string }): Promise<void>;
  putLanding(input: { attemptId: AttemptId; landing: Landing }): Promise<void>;
  deleteLanding(query: { attemptId: AttemptId }): Promise<void>;
  /** Inserts, or replaces the pull request of the attempt. */
  putPullRequest(stored: StoredPullRequest): Promise<void>;
  /** False when the project has this grant already. */
  insertGrant(grant: StoredGrant): Promise<boolean>;
  deleteGrant(query: { id: GrantId }): Promise<boolean>;
  /** Expires what is still pending for an execution, or for one tool use of it, and returns it. */
  expireApprovals(input: { executionId: ExecutionId; toolUseId?: string; resolvedAt: number }): Promise<Approval[]>;
  /** Rejects when its attempt has an open item. */
  insertInboxItem(input: { execution: EndedExecution; at: number }): Promise<void>;
  /** Clears what is open of a task, an attempt or an execution, and returns it. */
  clearInboxItems(input: ({ taskId: TaskId } | { attemptId: AttemptId } | { id: ExecutionId }) & { at: number }): Promise<InboxItem[]>;
  /** Undefined when it is open, or was never there. */
  reopenInboxItem(input: { id: ExecutionId }): Promise<InboxItem | undefined>;
  recordCommand(input: { id: string; result: CommandResult; at: number }): Promise<void>;
  /**
   * A summary becomes the active one and supersedes the one before; without one the active summary stays. False, and
   * nothing is written, when another summary than `expectedSummaryId` is active: of two compressions the first wins.
   */
  saveCompression(change: Compression & { attemptId: AttemptId; expectedSummaryId: SummaryId | null; at: number }): Promise<boolean>;
  /** Takes the last compression back: what was active before it is active again. False when there is none. */
  undoCompression(query: { attemptId: AttemptId }): Promise<boolean>;
  /** Removes up to `limit` rows of what was deleted. False when nothing is left. */
  purgeDeleted(query: { limit: number }): Promise<boolean>;
  /** Indexes again up to `limit` messages that an earlier release has indexed. False when none are left. */
  renewSearch(query: { limit: number }): Promise<boolean>;
  /** Published after the commit, in commit order, with its sequence number. */
  appendEvent(event: SkeinEvent, at: number): Promise<void>;
}

/** The database was deleted, replaced, cut short or overwritten while it was in use. */
export interface StorageDamage {
  kind: "missing" | "replaced" | "truncated" | "overwritten";
  /** What happened and what to do. */
  message: string;
  /** A whole copy of the database, where one could be made from what was still open. */
  rescuedTo?: string;
}

/** The database, as the engine and the server use it. One contract suite (`describeStorageContract`) runs against every implementation. */
export interface Storage {
  readonly kind: "sqlite" | "postgres";
  readonly read: StorageReader;
  /** All reads of `work` see the same moment. */
  snapshot<T>(work: (reader: StorageReader) => Promise<T>): Promise<T>;
  /**
   * Everything written in `work` is committed together, or nothing of it. Resolves after the commit.
   * `patienceMs` lets it wait for others to share the commit; work that waits longer than that never happens.
   */
  transaction<T>(work: (tx: StorageTransaction) => Promise<T>, options?: { patienceMs?: number }): Promise<T>;
  /**
   * Looks whether the files of the database are still those that were opened, without a query. While they are not, transactions
   * reject with what is wrong; reads continue as far as they can. Cheap enough to call every few seconds.
   */
  inspect(): Promise<StorageDamage | undefined>;
  /** Committed events in sequence order. A listener must not throw. Returns its removal. */
  onCommitted(listener: (events: readonly SequencedEvent[]) => void): () => void;
  close(): Promise<void>;
}

/** A constraint of the schema was violated; nothing was written. */
export class StorageConstraintError extends Error {
  override readonly name = "StorageConstraintError";
}
