import type {
  Actor,
  AgentId,
  AgentStart,
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
  ExecutionWait,
  GrantId,
  HostId,
  ImportedSession,
  InboxItem,
  InboxItemId,
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
  StoredHost,
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
import type { AutomationReader, AutomationTransaction } from "./automation-storage.ts";
import type { BudgetReader, BudgetTransaction } from "./budget-storage.ts";
import type { JobReader, JobTransaction } from "./job-storage.ts";
import type { StorageNodes } from "./nodes.ts";
import type { TeamReader, TeamTransaction } from "./team-storage.ts";

/**
 * How far an execution's log has been read, with the decoder's and the processor's state at that point. Stored together with what was
 * read up to it.
 */
export interface IngestPosition {
  /** Bytes of the execution log whose content is committed. */
  offset: number;
  /** Null at the start and after the execution has ended, when there are no entries either. */
  ingestState: JsonValue | null;
  /**
   * Parts of the state that are stored separately. On read: all of them, the last written one at the end. On write: those that changed;
   * null deletes one.
   */
  entries: readonly SnapshotEntry[];
}

/** The server that uses the database: distinguishes a restored older copy from the one that was used last. */
export interface StorageInstance {
  /** New with each start of a server. */
  epoch: string;
  /** The data dir that paths in the database refer to. */
  home: string;
}

/** A running execution, which takes a slot of its agent and its project, or waits for one. */
export interface Occupant {
  execution: RunningExecution;
  agent: AgentId;
  projectId: ProjectId;
}

/** A position in a list of tasks. The task itself may have been deleted. */
export type TaskPlace = Pick<Task, "position" | "createdAt" | "id">;

/** Limit of one read. At least one row is read, whatever its size. */
export interface SliceLimits {
  limit: number;
  /** Total stored bytes of all rows. */
  maxBytes: number;
}

/** Reads committed data only. Lists are oldest first unless stated otherwise. */
export interface StorageReader extends TeamReader, JobReader, BudgetReader, AutomationReader {
  /** Undefined until a server has used the database. */
  findInstance(): Promise<StorageInstance | undefined>;
  listProjects(): Promise<Project[]>;
  findProject(query: { id: ProjectId } | { path: string }): Promise<Project | undefined>;
  /** By position, then creation; all of them, or `limit` after a position in that order. */
  listTasks(query?: {
    projectId?: ProjectId;
    /** Only tasks of these projects. */
    projectIds?: readonly ProjectId[] | undefined;
    status?: TaskStatus;
    archived?: boolean;
    after?: TaskPlace | undefined;
    limit?: number | undefined;
  }): Promise<Task[]>;
  findLastTaskPosition(query: { projectId: ProjectId }): Promise<number | undefined>;
  findTask(query: { id: TaskId }): Promise<Task | undefined>;
  /** Ids of tasks and attempts with `prefix`, in order. */
  findIds(query: { prefix: string; limit: number; projectIds?: readonly ProjectId[] | undefined }): Promise<(TaskId | AttemptId)[]>;
  listAttempts(query: { taskId: TaskId }): Promise<Attempt[]>;
  findAttempt(query: { id: AttemptId }): Promise<Attempt | undefined>;
  /** Attempts whose check waits or runs, in order of creation. */
  listOpenChecks(): Promise<Attempt[]>;
  /** By number. `after`: those with a higher number. */
  listExecutions(query: { attemptId: AttemptId; after?: number | undefined; limit?: number | undefined }): Promise<Execution[]>;
  /** The number of `listExecutions`, without reading them: an attempt may have thousands. */
  listExecutionIds(query: { attemptId: AttemptId }): Promise<ExecutionId[]>;
  findExecution(query: { id: ExecutionId }): Promise<Execution | undefined>;
  /** `isOwn`: only those that this server owns, if there are several. */
  listRunningExecutions(query?: { attemptId?: AttemptId; taskId?: TaskId; isOwn?: boolean }): Promise<RunningExecution[]>;
  /** When the user requested a stop of a running execution; undefined if nobody has. */
  findStopRequest(query: { executionId: ExecutionId }): Promise<number | undefined>;
  /** All running executions with what limits count: those that wait come last, in their order. */
  listOccupants(): Promise<Occupant[]>;
  /** The activity of these tasks, by id. A fixed number of queries, however many tasks there are. */
  listActivities(query: { taskIds: readonly TaskId[] }): Promise<Map<TaskId, TaskActivity>>;
  /** Totals and last ends of the attempts of a task; those without an ended execution are left out. */
  listAttemptTotals(query: { taskId: TaskId }): Promise<Map<AttemptId, Pick<AttemptSummary, "totals" | "lastEnd">>>;
  getIngestPosition(query: { executionId: ExecutionId }): Promise<IngestPosition>;
  /** In request order: by execution, then position; all of them, or `limit` from `offset` on. */
  listMessages(query: { attemptId: AttemptId; offset?: number; limit?: number }): Promise<StoredMessage[]>;
  /**
   * The next messages in the order of `listMessages`: those after the message `after`, or the first ones. Constant cost at any position.
   * Empty at the end. Rejects if `after` is not a message of the attempt.
   */
  listNextMessages(query: { attemptId: AttemptId; after?: MessageId | undefined } & SliceLimits): Promise<StoredMessage[]>;
  /**
   * The number of messages of each execution of an attempt, in the order of `listMessages`; executions without any are left out. Other
   * queries may run in between: use a snapshot for consistent counts.
   */
  countMessages(query: { attemptId: AttemptId }): Promise<{ executionId: ExecutionId; count: number }[]>;
  /** The messages of an execution from position `from` on, in the order of `listMessages`, without their content. */
  listMessagePlaces(query: { executionId: ExecutionId; from?: number; limit?: number }): Promise<Pick<StoredMessage, "id" | "position">[]>;
  findMessage(query: { id: MessageId }): Promise<StoredMessage | undefined>;
  /**
   * The `limit` newest messages before the message `before`, or the `limit` oldest from the message `from` on (inclusive); oldest first.
   * `hasMore`: there are more in the requested direction.
   */
  listConversationMessages(query: {
    attemptId: AttemptId;
    before?: string | undefined;
    from?: string | undefined;
    limit: number;
  }): Promise<{ messages: ConversationMessage[]; hasMore: boolean }>;
  /** The next messages of the conversation after the message `after`, or the first ones, like `listNextMessages`. */
  listNextConversationMessages(query: { attemptId: AttemptId; after?: string | undefined } & SliceLimits): Promise<ConversationMessage[]>;
  /** Ids of the messages that contain the text, case-insensitive, in conversation order. */
  findConversationMessages(query: { attemptId: AttemptId; text: string; limit: number }): Promise<string[]>;
  listQueuedMessages(query: { attemptId: AttemptId }): Promise<QueuedMessage[]>;
  findQueuedMessage(query: { id: QueuedMessageId }): Promise<QueuedMessage | undefined>;
  /** The waiting messages, and whether the queue is paused. */
  getQueue(query: { attemptId: AttemptId }): Promise<QueueState>;
  findApproval(query: { id: ApprovalId }): Promise<Approval | undefined>;
  listApprovals(query: { attemptId?: AttemptId; executionId?: ExecutionId; status?: Approval["status"] }): Promise<Approval[]>;
  /** Open items, oldest first. */
  listInboxItems(): Promise<InboxItem[]>;
  findInboxItem(query: { id: InboxItemId }): Promise<InboxItem | undefined>;
  listComments(query: { attemptId: AttemptId; state?: CommentState }): Promise<StoredComment[]>;
  findComment(query: { id: CommentId }): Promise<StoredComment | undefined>;
  /** By path. */
  listViewedFiles(query: { attemptId: AttemptId }): Promise<ViewedFile[]>;
  /** Machines other than the server's own, oldest first. */
  listHosts(): Promise<StoredHost[]>;
  findHost(query: { id: HostId } | { tokenHash: string }): Promise<StoredHost | undefined>;
  /** Attempts with a host. */
  listRemoteAttempts(): Promise<Attempt[]>;
  findLanding(query: { attemptId: AttemptId }): Promise<Landing | undefined>;
  findPullRequest(query: { attemptId: AttemptId }): Promise<StoredPullRequest | undefined>;
  /** Those that a forge is to be asked about, the next one first. `isOwn`: only of attempts on this machine. */
  listWatchedPullRequests(query: { limit: number; isOwn?: boolean }): Promise<StoredPullRequest[]>;
  findImportedSession(query: Pick<ImportedSession, "source" | "sessionId">): Promise<ImportedSession | undefined>;
  listImportedSessions(query: Pick<ImportedSession, "source">): Promise<ImportedSession[]>;
  /** The attempts that have an agent session, with the number of their executions. */
  listAttemptSessions(): Promise<{ agent: string; sessionId: string; attemptId: AttemptId; taskId: TaskId; executions: number }[]>;
  listGrants(query: { projectId: ProjectId }): Promise<StoredGrant[]>;
  findCommandResult(query: { id: string }): Promise<CommandResult | undefined>;
  /** The hash of what was requested with this id; undefined if it is unknown. */
  findCommandHash(query: { id: string }): Promise<string | undefined>;
  /** How an execution or a queued message was started by an agent; undefined: by a user. */
  findAgentStart(query: { subject: string }): Promise<AgentStart | undefined>;
  /** Everything that agents started in an attempt. */
  listAgentStarts(query: { attemptId: AttemptId }): Promise<AgentStart[]>;
  /** What agents started below a root, with the cost that was reported so far. */
  sumAgentStarts(query: { root: string }): Promise<{ starts: number; costUsd: number }>;
  /** The active summary and pruning. */
  getCompression(query: { attemptId: AttemptId }): Promise<Compression>;
  /** Events after `after`, in order, each with its subject's current state. Events about deleted subjects are left out. */
  listEvents(query: { after: number; limit: number; taskId?: TaskId }): Promise<SequencedEvent[]>;
  getLastSeq(): Promise<number>;
  /** Existing tasks with events after `after`, ordered by id and beginning after `behind`. */
  listChangedTasks(query: { after: number; behind?: TaskId; limit: number }): Promise<TaskId[]>;
  /** Sequence numbers of events after `after` that name a project: of projects, and of deleted tasks. In order. */
  listProjectEventNumbers(query: { after: number }): Promise<number[]>;
  /** The events whose subject still exists, in order. */
  findEvents(query: { numbers: readonly number[] }): Promise<SequencedEvent[]>;
  /** Rejects with the signal's reason if it is aborted. */
  search(query: {
    text: string;
    limit: number;
    signal?: AbortSignal | undefined;
    projectIds?: readonly ProjectId[] | undefined;
  }): Promise<SearchHit[]>;
  /** The owners of executions, ordered by id, after `behind`. */
  listExecutionOwners(query: {
    behind?: ExecutionId;
    limit: number;
  }): Promise<{ executionId: ExecutionId; projectId: ProjectId; isRunning: boolean }[]>;
  /** The folders of attempts with their own worktree. */
  listWorktrees(): Promise<{ directory: string; projectId: ProjectId }[]>;
  /** Approximate number of messages of deleted attempts that `purgeDeleted` has not removed yet. */
  countDeletedMessages(): Promise<number>;
  /** For executions that have ended and started from `from` to before `to`. */
  reportUsage(query: UsageQuery & { projectIds?: readonly ProjectId[] | undefined }): Promise<UsageReport>;
}

/** Writes of one unit of work. Constraint violations reject with `StorageConstraintError`. */
export interface StorageTransaction extends StorageReader, TeamTransaction, JobTransaction, BudgetTransaction, AutomationTransaction {
  putInstance(instance: StorageInstance): Promise<void>;
  insertProject(project: Project): Promise<void>;
  updateProject(project: Project): Promise<void>;
  /**
   * Deletes it with all its tasks and what belongs to them. Constant time for any number of messages: they are no longer found, and
   * `purgeDeleted` later removes them, their index entries and their events.
   */
  deleteProject(query: { id: ProjectId }): Promise<void>;
  /** `activeAttemptId` is not written: it is derived from the attempts. */
  insertTask(task: Task): Promise<void>;
  updateTask(task: Task): Promise<void>;
  deleteTask(query: { id: TaskId }): Promise<void>;
  /** Makes the previously active attempt inactive. */
  insertAttempt(attempt: Attempt): Promise<void>;
  /** `active` is not written: see `activateAttempt`. */
  updateAttempt(attempt: Attempt): Promise<void>;
  activateAttempt(query: { id: AttemptId; at: number }): Promise<void>;
  deleteAttempt(query: { id: AttemptId }): Promise<void>;
  /** Rejects if another execution of the attempt is running. */
  insertExecution(execution: RunningExecution): Promise<void>;
  /** Returns false if it had already ended: the first end wins. */
  endExecution(execution: EndedExecution): Promise<boolean>;
  /** Stores a stop until the execution has ended. The first request counts. No effect on one that has ended. */
  requestStop(input: { executionId: ExecutionId; at: number }): Promise<void>;
  /** Null: it waits no longer. Returns the execution; undefined if it has ended. The time that it has waited is not counted as work. */
  setExecutionWait(change: { id: ExecutionId; wait: ExecutionWait | null; at: number }): Promise<RunningExecution | undefined>;
  /** Inserts, or replaces the message with the same id. */
  putMessages(messages: readonly StoredMessage[]): Promise<void>;
  /**
   * Inserts at the end, or updates the message with the same id if the revision is higher. A message that `replaces` others takes the
   * position of the first of them, and they are deleted.
   */
  putConversationMessages(input: {
    attemptId: AttemptId;
    executionId: ExecutionId;
    messages: readonly ConversationMessage[];
  }): Promise<void>;
  /**
   * `putConversationMessages`, with a `message:added` event for each, in their order: the events lead to the same conversation from any
   * starting point. Made for thousands of messages.
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
  /** Moves a waiting message before another one of its attempt, or to the end. */
  moveQueuedMessage(query: { id: QueuedMessageId; before: QueuedMessageId | null }): Promise<void>;
  /** Null resumes the queue; so does deleting the last waiting message. */
  setQueuePause(input: { attemptId: AttemptId; pause: QueuePause | null }): Promise<void>;
  /** Returns false if it no longer existed. */
  deleteQueuedMessage(query: { id: QueuedMessageId }): Promise<boolean>;
  /** Returns false if an approval for this tool use of this execution exists: a log that is read again asks again. */
  insertApproval(approval: Approval): Promise<boolean>;
  /** The answered approval; undefined if it was not pending: the first answer wins. */
  answerApproval(input: {
    id: ApprovalId;
    decision: ApprovalDecision;
    answerReason: string | null;
    answers?: ApprovalAnswers | undefined;
    plan?: PlanApproval | undefined;
    by?: Actor | undefined;
    resolvedAt: number;
  }): Promise<Approval | undefined>;
  /** The marked approval; undefined if it was not pending, or already marked. */
  markApprovalTampered(input: { executionId: ExecutionId; toolUseId: string; tampering: ApprovalTampering }): Promise<Approval | undefined>;
  /** Inserts, or replaces the comment with the same id. */
  putComment(comment: StoredComment): Promise<void>;
  /** Returns false if it did not exist. */
  deleteComment(query: { id: CommentId }): Promise<boolean>;
  putViewedFile(input: { attemptId: AttemptId } & ViewedFile): Promise<void>;
  deleteViewedFile(query: { attemptId: AttemptId; path: string }): Promise<void>;
  insertHost(host: StoredHost): Promise<void>;
  /** Throws `StorageConstraintError` if it does not exist. */
  updateHost(host: StoredHost): Promise<void>;
  /** Throws `StorageConstraintError` if it has attempts. */
  deleteHost(input: { id: HostId }): Promise<void>;
  putLanding(input: { attemptId: AttemptId; landing: Landing }): Promise<void>;
  deleteLanding(query: { attemptId: AttemptId }): Promise<void>;
  /** Inserts, or replaces the pull request of the attempt. */
  putPullRequest(stored: StoredPullRequest): Promise<void>;
  /** Inserts, or replaces what is stored of the session. */
  putImportedSession(session: ImportedSession): Promise<void>;
  /** Inserts an execution that ended elsewhere, or replaces its end: only in an attempt with an imported session. Returns whether it is new. */
  putImportedExecution(execution: EndedExecution): Promise<boolean>;
  /** Returns false if the project already has this grant. */
  insertGrant(grant: StoredGrant): Promise<boolean>;
  deleteGrant(query: { id: GrantId }): Promise<boolean>;
  /** Expires the pending approvals of an execution, or of one tool use of it, and returns them. */
  expireApprovals(input: { executionId: ExecutionId; toolUseId?: string; resolvedAt: number }): Promise<Approval[]>;
  /** Rejects if its attempt has an open item of this kind. */
  insertInboxItem(input: { execution: EndedExecution; at: number }): Promise<void>;
  /**
   * Clears open items, and returns them: all of a task, those of an attempt's executions, or one. A pull request's item is added by
   * `putPullRequest`.
   */
  clearInboxItems(input: ({ taskId: TaskId } | { attemptId: AttemptId } | { id: InboxItemId }) & { at: number }): Promise<InboxItem[]>;
  /** Undefined if it is open or does not exist. */
  reopenInboxItem(input: { id: InboxItemId }): Promise<InboxItem | undefined>;
  recordCommand(input: { id: string; result: CommandResult; contentHash?: string | undefined; at: number }): Promise<void>;
  insertAgentStart(start: AgentStart): Promise<void>;
  /** A queued message has become an execution. Does nothing if no agent has sent it. */
  moveAgentStart(input: { from: string; to: string }): Promise<void>;
  /**
   * A summary becomes the active one and supersedes the previous one; without one the active summary stays. Returns false and writes
   * nothing if another summary than `expectedSummaryId` is active: of two compressions the first wins.
   */
  saveCompression(change: Compression & { attemptId: AttemptId; expectedSummaryId: SummaryId | null; at: number }): Promise<boolean>;
  /** Undoes the last compression: the previous state is active again. Returns false if there is none. */
  undoCompression(query: { attemptId: AttemptId }): Promise<boolean>;
  /** Removes up to `limit` deleted rows. Returns false if none are left. */
  purgeDeleted(query: { limit: number }): Promise<boolean>;
  /** Reindexes up to `limit` messages that an earlier release has indexed. Returns false if none are left. */
  renewSearch(query: { limit: number }): Promise<boolean>;
  /** Published after the commit, in commit order, with its sequence number. */
  appendEvent(event: SkeinEvent, at: number): Promise<void>;
}

/** The database was deleted, replaced, truncated or overwritten while in use. */
export interface StorageDamage {
  kind: "missing" | "replaced" | "truncated" | "overwritten";
  /** What happened and what to do. */
  message: string;
  /** A complete copy of the database, if one could be made from what was still open. */
  rescuedTo?: string;
}

/** The database of the engine and the server. One contract suite (`describeStorageContract`) runs against every implementation. */
export interface Storage {
  readonly kind: "sqlite" | "postgres";
  readonly read: StorageReader;
  /** All reads of `work` see the same snapshot. */
  snapshot<T>(work: (reader: StorageReader) => Promise<T>): Promise<T>;
  /**
   * Everything written in `work` is committed together, or not at all. Resolves after the commit. `patienceMs`: how long it may wait to
   * share a commit with others; work that would wait longer does not happen.
   */
  transaction<T>(work: (tx: StorageTransaction) => Promise<T>, options?: { patienceMs?: number }): Promise<T>;
  /**
   * Checks whether the database files are still those that were opened, without a query. While they are not, transactions reject with the
   * problem; reads continue as far as possible. Cheap enough to call every few seconds.
   */
  inspect(): Promise<StorageDamage | undefined>;
  /** Only if several servers can use the database. */
  readonly nodes?: StorageNodes;
  /** Bytes of the database. Only for a database that is not in the data dir. */
  measure?(): Promise<number>;
  /** Committed events in sequence order. A listener must not throw. Returns a function that removes it. */
  onCommitted(listener: (events: readonly SequencedEvent[]) => void): () => void;
  close(): Promise<void>;
}

/** A constraint of the schema was violated; nothing was written. */
export class StorageConstraintError extends Error {
  override readonly name = "StorageConstraintError";
}
