import type {
  ActiveCompression,
  Actor,
  AgentId,
  AgentSessionList,
  AgentTranscript,
  AnswerApproval,
  Approval,
  ApprovalId,
  Attempt,
  AttemptDiff,
  AttemptId,
  AttemptSummary,
  answerBudgetSchema,
  BranchList,
  Budget,
  BuiltRequest,
  Command,
  CommandResult,
  ConversationPage,
  CreateProject,
  createAttemptSchema,
  createTaskSchema,
  DeletionResult,
  DiffStat,
  Execution,
  ExecutionId,
  ExportRequest,
  Fallback,
  FoundMessages,
  HistoryEntry,
  HistoryPage,
  InboxItem,
  InboxItemId,
  MergeMode,
  MessageId,
  PreviewRedaction,
  Project,
  ProjectId,
  QueuedMessage,
  QueuedMessageId,
  QueueState,
  RedactionPreview,
  RequestProvider,
  SentOverview,
  Task,
  TaskBudgets,
  TaskId,
  TaskOverview,
  TaskStatus,
  TaskSummary,
  UpdateAttempt,
  UpdateInboxItem,
  UpdateProject,
  UpdateTask,
  UpdateTasks,
  WaitingExecution,
} from "@skein/contracts";
import type { StorageTransaction, TaskPlace } from "@skein/engine";
import type { ConnectionPeer } from "@skein/host";
import type { z } from "zod";
import type { StreamedJson } from "./streamed-json.ts";
import type { WrittenJson } from "./written-json.ts";

/** The next request; its body was written by the program that built it. */
export type WrittenRequest = Omit<BuiltRequest, "body"> & { body: WrittenJson };

/** Projects, and their repositories. */
export interface ProjectService {
  list(): Promise<Project[]>;
  get(id: ProjectId): Promise<Project>;
  create(input: CreateProject): Promise<Project>;
  update(id: ProjectId, changes: UpdateProject): Promise<Project>;
  /** Branches, newest commit first. */
  branches(id: ProjectId): Promise<BranchList>;
  agentSessions(id: ProjectId, agent: AgentId): Promise<AgentSessionList>;
  /** Stops what runs in it and removes its worktrees; the repository itself keeps its files. `discard`: see `attempts.remove`. */
  remove(id: ProjectId, options: { discard: boolean }): Promise<DeletionResult>;
}

/** Tasks, and their places on the board. */
export interface TaskService {
  /** Includes archived ones, unless `archived` is set; `TaskSummary`s, read while they are sent. */
  list(query: {
    projectId?: ProjectId;
    projectIds?: readonly ProjectId[] | undefined;
    status?: TaskStatus;
    archived?: boolean;
    after?: TaskPlace | undefined;
    limit?: number | undefined;
    /** `short`: truncates long descriptions to what a board shows. */
    descriptions?: "short" | "whole";
    /** `short`: see `listedTaskSchema`. */
    activity?: "short" | "whole";
  }): StreamedJson;
  get(id: TaskId): Promise<TaskSummary>;
  create(input: z.output<typeof createTaskSchema>, by?: Actor): Promise<Task>;
  update(id: TaskId, changes: UpdateTask): Promise<Task>;
  /** All of them in one transaction, or none. */
  updateMany(updates: UpdateTasks["updates"]): Promise<Task[]>;
  remove(id: TaskId, options: { discard: boolean }): Promise<DeletionResult>;
}

/** Attempts: their folders, messages and requests. */
export interface AttemptService {
  list(taskId: TaskId): Promise<AttemptSummary[]>;
  get(id: AttemptId): Promise<AttemptSummary>;
  create(taskId: TaskId, input: z.output<typeof createAttemptSchema> & { by?: Actor }): Promise<Attempt>;
  update(id: AttemptId, changes: UpdateAttempt): Promise<Attempt>;
  activate(id: AttemptId): Promise<Attempt>;
  /** Moves its folder to another machine: see `moveAttempt`. `host`: a worker's id, name or tag; null: the server's own machine. */
  move(id: AttemptId, input: { host: string | null }): Promise<Attempt>;
  /** Undoes the last compression: requests are built as before it. */
  undoCompression(id: AttemptId): Promise<void>;
  /** Rejects with code `uncommitted-changes` if its worktree has uncommitted changes, unless `discard` is set. */
  remove(id: AttemptId, options: { discard: boolean }): Promise<DeletionResult>;
  diff(id: AttemptId): Promise<AttemptDiff>;
  diffStat(id: AttemptId, options: { uncommitted: boolean }): Promise<DiffStat>;
  /** All current messages, or `limit` after the message `after`; read while they are sent. */
  messages(id: AttemptId, page: { after?: MessageId | undefined; limit?: number | undefined }): Promise<StreamedJson>;
  /** What requests are built from, including attempts that it continues: `limit` messages from `offset` on, truncated. */
  history(id: AttemptId, page: { offset: number; limit: number }): Promise<HistoryPage>;
  /** A complete message of the history. */
  historyMessage(id: AttemptId, messageId: MessageId): Promise<HistoryEntry>;
  /** The next request. `message` is the user's next one; default: a placeholder. */
  nextRequest(
    id: AttemptId,
    options: { provider?: RequestProvider | undefined; message?: string | undefined },
  ): Promise<AgentTranscript | WrittenRequest>;
  executions(id: AttemptId): Promise<Execution[]>;
  /** `pieces` are generated on demand. */
  export(id: AttemptId, request: ExportRequest): Promise<{ mediaType: string; fileName: string; pieces: AsyncGenerator<string, void> }>;
  /** What an export would redact. */
  previewRedaction(id: AttemptId, request: PreviewRedaction): Promise<RedactionPreview>;
}

/** What an execution left behind. */
export interface ExecutionService {
  /** The file of a complete tool output that was too long to be shown. */
  findOutput(id: ExecutionId, name: string): Promise<{ size: number; read(): AsyncIterable<Uint8Array> }>;
  /** What it changed, from the end of the previous execution to its own. */
  diff(id: ExecutionId): Promise<AttemptDiff>;
}

/** The commands of users: see `Command`. */
export interface CommandService {
  /** `alongside` is part of its transaction; a repeated command does not call it. Nothing is saved alongside a stop. */
  execute(
    command: Command,
    alongside?: (tx: StorageTransaction, result: CommandResult) => Promise<void>,
    by?: Actor,
  ): Promise<CommandResult>;
}

/** The data of a page, from one state of the database. */
export interface OverviewService {
  /** Everything at the start: `tasks` tasks of the project, which is that of the task, the given one or the first. */
  start(query: {
    projectId?: ProjectId;
    taskId?: TaskId;
    attemptId?: AttemptId;
    /** The projects that are listed; default: all. */
    projectIds?: readonly ProjectId[] | undefined;
    tasks: number;
    mergeMode: MergeMode;
    messages: number;
  }): Promise<SentOverview>;
  /** An opened task, with the newest `messages` of an attempt. */
  task(query: { taskId: TaskId; attemptId?: AttemptId; mergeMode: MergeMode; messages: number }): Promise<TaskOverview>;
}

/** What users see of an attempt. */
export interface ConversationService {
  /** The newest messages, those before one, those from one on, or those around one. */
  page(query: {
    taskId: TaskId;
    attemptId?: AttemptId;
    mergeMode: MergeMode;
    before?: string;
    from?: string;
    around?: string;
    limit: number;
  }): Promise<ConversationPage>;
  find(query: { attemptId: AttemptId; text: string; limit: number }): Promise<FoundMessages>;
  activeCompression(id: AttemptId): Promise<ActiveCompression>;
}

/** Messages that wait for the running execution to end. */
export interface QueueService {
  /** Of the task's active attempt. */
  get(taskId: TaskId): Promise<QueueState>;
  update(id: QueuedMessageId, message: string): Promise<QueuedMessage>;
  /** Before another waiting one, or at the end. */
  move(id: QueuedMessageId, before: QueuedMessageId | null): Promise<QueuedMessage[]>;
  remove(id: QueuedMessageId): Promise<void>;
  /** Removes all waiting messages, except for those that the running agent already has. */
  discard(attemptId: AttemptId): Promise<void>;
}

/** Permission requests of agents, and their answers. */
export interface ApprovalService {
  list(query: { status?: Approval["status"]; attemptId?: AttemptId }): Promise<Approval[]>;
  /**
   * Rejects with code `approval-already-resolved` for the second of two answers, and with `answered-by-agent` if `peer`, the origin of
   * the answer, is a process of a running agent: the approval is then marked as tampered with.
   */
  answer(id: ApprovalId, answer: AnswerApproval, peer?: ConnectionPeer, by?: Actor): Promise<Approval>;
}

/** What ended and has not been seen. */
export interface InboxService {
  /** Ended executions that the user has not seen, oldest first. */
  list(): Promise<InboxItem[]>;
  /** Rejects with code `inbox-item-superseded` if an item is put back whose attempt has received another message, or whose feedback was sent or resolved. */
  update(id: InboxItemId, changes: UpdateInboxItem): Promise<InboxItem>;
}

/** Budgets (L2), and executions that wait for their user or a provider (L3). Rejects with `execution-not-waiting` if they do not wait any more. */
export interface HeldExecutionService {
  /** Those whose budget is used up, and those that are parked. */
  list(): Promise<WaitingExecution[]>;
  /** Rejects with `answered-by-agent` if the caller is an agent's process. */
  answer(id: ExecutionId, answer: z.output<typeof answerBudgetSchema>, peer?: ConnectionPeer, by?: Actor): Promise<void>;
  resume(id: ExecutionId): Promise<void>;
  setAutomatic(id: ExecutionId, isAutomatic: boolean): Promise<Execution>;
  /** A new attempt continues with another agent or model. */
  continueWith(id: ExecutionId, fallback: Fallback): Promise<Execution>;
  /** The budgets that apply to the task. */
  budgets(taskId: TaskId): Promise<TaskBudgets>;
  /** Null: what the settings say. Rejects with `answered-by-agent` like `answer`. */
  setBudget(taskId: TaskId, budget: Budget | null, peer?: ConnectionPeer, by?: Actor): Promise<TaskBudgets>;
  /** Budgets of the settings were changed. */
  reconsider(): Promise<void>;
}

/** Executions that wait for a slot, in the order in which they will start (L1). */
export interface WaitingExecutionService {
  list(): Promise<WaitingExecution[]>;
  startNow(id: ExecutionId): Promise<void>;
  /** Returns the new order. */
  move(id: ExecutionId, before: ExecutionId | null): Promise<WaitingExecution[]>;
}
