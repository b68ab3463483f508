import type {
  ActiveCompression,
  Actor,
  AddAgent,
  AgentCatalogue,
  AgentId,
  AgentInfo,
  AgentList,
  AgentSessionList,
  AgentSettings,
  AgentTranscript,
  AnswerApproval,
  Approval,
  ApprovalId,
  Attempt,
  AttemptDefaults,
  AttemptDiff,
  AttemptId,
  AttemptSummary,
  BranchList,
  BuiltRequest,
  Command,
  CommandResult,
  CommentId,
  CommitMessageModel,
  Committed,
  ConflictSides,
  ConversationPage,
  CreateProject,
  commitSchema,
  createAttemptSchema,
  createCommentSchema,
  createTaskSchema,
  DeletionResult,
  Delivery,
  DiffStat,
  discardSchema,
  Execution,
  ExecutionId,
  ForgeAccess,
  ForgeKind,
  FoundIds,
  FoundMessages,
  GeneralSettings,
  GitHooks,
  GitLfs,
  GitState,
  GrantId,
  Health,
  HistoryEntry,
  HistoryPage,
  ImportRun,
  ImportRuns,
  ImportSources,
  InboxItem,
  InboxItemId,
  Landing,
  ListedGrant,
  landRequestSchema,
  McpServerInfo,
  McpServerList,
  MergeMode,
  MessageId,
  NodeId,
  OpenedPullRequest,
  openPullRequestSchema,
  Project,
  ProjectId,
  ProjectScripts,
  ProviderKey,
  ProviderName,
  PullRequest,
  PullRequestPlan,
  Pushed,
  pushRequestSchema,
  QueuedMessage,
  QueuedMessageId,
  QueueState,
  RequestProvider,
  ResolveConflict,
  Restored,
  Review,
  ReviewComment,
  restoreSchema,
  SearchHit,
  SentOverview,
  SequencedEvent,
  ServerNode,
  Settings,
  SetViewed,
  SkeinEvent,
  StartedTask,
  StartImport,
  StorageFault,
  StorageUse,
  SuggestCommitMessage,
  SuggestedCommitMessage,
  sendPullRequestFeedbackSchema,
  sendReviewSchema,
  startTaskSchema,
  Task,
  TaskId,
  TaskOverview,
  TaskStatus,
  TaskSummary,
  ToolProcessorList,
  TrustChange,
  TrustContent,
  TrustMcpServer,
  TrustPlace,
  UpdateAgent,
  UpdateAttempt,
  UpdateAttemptDefaults,
  UpdateComment,
  UpdatedAttemptBase,
  UpdateGeneralSettings,
  UpdateInboxItem,
  UpdateProject,
  UpdateTask,
  UpdateTasks,
  UsageQuery,
  UsageReport,
  updateAttemptBaseSchema,
} from "@skein/contracts";
import type { StorageTransaction, TaskPlace } from "@skein/engine";
import type { ConnectionPeer } from "@skein/host";
import type { z } from "zod";
import type { WorkerService } from "../hosts/worker-service.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { LiveLine } from "../nodes/live-relay.ts";
import type { FileService } from "./files.ts";
import type { FolderService } from "./folders.ts";
import type { Quarantine } from "./quarantine.ts";
import type { StreamedJson } from "./streamed-json.ts";
import type { WrittenJson } from "./written-json.ts";

/** The next request; its body was written by the program that built it. */
export type WrittenRequest = Omit<BuiltRequest, "body"> & { body: WrittenJson };

/** The operations of the HTTP layer and the CLI. Methods reject with `ServiceError` for problems that a caller can fix. */
export interface Services {
  /** Tests whether something can be stored, unless it was tested a moment ago. */
  health(): Promise<Health>;
  /** Calls `listener` when the health changes. Returns a function that removes it. */
  onHealthChanged(listener: (health: Health) => void): () => void;
  /** The result of the last test: never waits. */
  lastHealth(): Health;
  /** Why the server cannot store something, if that is the cause of an error. */
  explainFault(error: unknown): Promise<StorageFault | undefined>;
  projects: {
    list(): Promise<Project[]>;
    get(id: ProjectId): Promise<Project>;
    create(input: CreateProject): Promise<Project>;
    update(id: ProjectId, changes: UpdateProject): Promise<Project>;
    /** Branches, newest commit first. */
    branches(id: ProjectId): Promise<BranchList>;
    agentSessions(id: ProjectId, agent: AgentId): Promise<AgentSessionList>;
    /** Stops what runs in it and removes its worktrees; the repository itself keeps its files. `discard`: see `attempts.remove`. */
    remove(id: ProjectId, options: { discard: boolean }): Promise<DeletionResult>;
  };
  tasks: {
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
  };
  attempts: {
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
    export(
      id: AttemptId,
      format: "json" | "markdown",
    ): Promise<{ mediaType: string; fileName: string; pieces: AsyncGenerator<string, void> }>;
  };
  executions: {
    /** The file of a complete tool output that was too long to be shown. */
    findOutput(id: ExecutionId, name: string): Promise<{ size: number; read(): AsyncIterable<Uint8Array> }>;
    /** What it changed, from the end of the previous execution to its own. */
    diff(id: ExecutionId): Promise<AttemptDiff>;
  };
  /** Ids of tasks and attempts with `prefix`. */
  findIds(query: { prefix: string; limit: number; projectIds?: readonly ProjectId[] | undefined }): Promise<FoundIds>;
  commands: {
    /** `alongside` is part of its transaction; a repeated command does not call it. Nothing is saved alongside a stop. */
    execute(
      command: Command,
      alongside?: (tx: StorageTransaction, result: CommandResult) => Promise<void>,
      by?: Actor,
    ): Promise<CommandResult>;
  };
  /** Comments on an attempt's changes. */
  review: {
    get(id: AttemptId): Promise<Review>;
    /** Repeating an id returns the comment that it created. */
    addComment(id: AttemptId, input: z.output<typeof createCommentSchema>, by?: Actor): Promise<ReviewComment>;
    /** Rejects with code `comment-sent` if the text of a sent comment is changed. */
    updateComment(id: CommentId, changes: UpdateComment): Promise<ReviewComment>;
    removeComment(id: CommentId): Promise<void>;
    /** Sends all drafts as one message; while an agent runs, it waits in the queue. Repeating an id does nothing. */
    send(id: AttemptId, input: z.output<typeof sendReviewSchema>, by?: Actor): Promise<CommandResult>;
    setViewed(id: AttemptId, input: SetViewed): Promise<void>;
  };
  /**
   * What is done with the work of an attempt. While its agent works, all but `state` and `uncommitted` reject with code
   * `agent-working`; other codes are those of `GitObstacle`.
   */
  branches: {
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
  };
  pullRequests: {
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
  };
  /** Creates a task and an attempt and starts its first message, all or nothing. Repeating an id returns the first result. */
  start(input: z.output<typeof startTaskSchema>, by?: Actor): Promise<StartedTask>;
  /** The data of a page, from one state of the database. */
  overviews: {
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
  };
  conversation: {
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
  };
  files: FileService;
  folders: FolderService;
  queue: {
    /** Of the task's active attempt. */
    get(taskId: TaskId): Promise<QueueState>;
    update(id: QueuedMessageId, message: string): Promise<QueuedMessage>;
    /** Before another waiting one, or at the end. */
    move(id: QueuedMessageId, before: QueuedMessageId | null): Promise<QueuedMessage[]>;
    remove(id: QueuedMessageId): Promise<void>;
    /** Removes all waiting messages, except for those that the running agent already has. */
    discard(attemptId: AttemptId): Promise<void>;
  };
  approvals: {
    list(query: { status?: Approval["status"]; attemptId?: AttemptId }): Promise<Approval[]>;
    /**
     * Rejects with code `approval-already-resolved` for the second of two answers, and with `answered-by-agent` if `peer`, the origin of
     * the answer, is a process of a running agent: the approval is then marked as tampered with.
     */
    answer(id: ApprovalId, answer: AnswerApproval, peer?: ConnectionPeer, by?: Actor): Promise<Approval>;
  };
  inbox: {
    /** Ended executions that the user has not seen, oldest first. */
    list(): Promise<InboxItem[]>;
    /** Rejects with code `inbox-item-superseded` if an item is put back whose attempt has received another message, or whose feedback was sent or resolved. */
    update(id: InboxItemId, changes: UpdateInboxItem): Promise<InboxItem>;
  };
  grants: {
    list(projectId: ProjectId): Promise<ListedGrant[]>;
    remove(id: GrantId): Promise<void>;
  };
  mcpServers: {
    /** Reads the definitions, and starts nothing. */
    list(projectId: ProjectId, place?: TrustPlace): Promise<McpServerList>;
    /** Rejects with code `mcp-server-changed` if the hash is not that of the current server and its files. */
    trust(projectId: ProjectId, name: string, input: TrustMcpServer): Promise<McpServerInfo>;
    revoke(projectId: ProjectId, name: string): Promise<void>;
  };
  /** Scripts of the repository's `.skein/project.json`. */
  projectScripts: {
    get(projectId: ProjectId, place?: TrustPlace): Promise<ProjectScripts>;
    /** Rejects with code `scripts-changed` if the hash is not that of the current scripts and their files. */
    trust(projectId: ProjectId, input: TrustContent): Promise<ProjectScripts>;
    revoke(projectId: ProjectId): Promise<void>;
  };
  /** Agent settings in the repository. */
  agentSettings: {
    get(projectId: ProjectId, place?: TrustPlace): Promise<AgentSettings>;
    /** Rejects with code `agent-settings-changed` if the hash is not that of the current files. */
    trust(projectId: ProjectId, input: TrustContent): Promise<AgentSettings>;
    revoke(projectId: ProjectId): Promise<void>;
  };
  /** Hooks of the repository that a commit or a push runs. */
  gitHooks: {
    get(projectId: ProjectId, place?: TrustPlace): Promise<GitHooks>;
    /** Rejects with code `hooks-changed` when the hash is not that of the hooks, settings and files as they are now. */
    trust(projectId: ProjectId, input: TrustContent): Promise<GitHooks>;
    revoke(projectId: ProjectId): Promise<void>;
  };
  /** Files that the repository stores with Git LFS. */
  gitLfs: {
    get(projectId: ProjectId): Promise<GitLfs>;
    /** Rejects with code `git-lfs-changed` if the repository now names another server. */
    trust(projectId: ProjectId, input: TrustContent): Promise<GitLfs>;
    revoke(projectId: ProjectId): Promise<void>;
  };
  /** Attempts whose folders differ from what is trusted. */
  trustChanges(projectId: ProjectId): Promise<TrustChange[]>;
  agents: {
    /** `refresh` also rereads config.json. */
    list(options?: { refresh?: boolean }): Promise<AgentList>;
    catalogue(): Promise<AgentCatalogue>;
    /** Rejects with code `catalogue-changed` if the entry is not the one that was shown. */
    add(input: AddAgent): Promise<AgentInfo>;
    /** Only for added agents. */
    update(id: AgentId, changes: UpdateAgent): Promise<AgentInfo>;
    /** Running executions continue, and conversations are kept. */
    remove(id: AgentId): Promise<void>;
  };
  settings: {
    /** Returns which keys are set, never a key. */
    get(): Promise<Settings>;
    setProviderKey(name: ProviderName, apiKey: string): Promise<ProviderKey>;
    removeProviderKey(name: ProviderName): Promise<void>;
    setDefaults(changes: UpdateAttemptDefaults): Promise<AttemptDefaults>;
    defaults(): AttemptDefaults;
    setGeneral(changes: UpdateGeneralSettings): Promise<GeneralSettings>;
    general(): GeneralSettings;
    /** Stores the token of a forge's host, which from then on counts as a forge of that kind. */
    setForgeToken(host: string, input: { kind: ForgeKind; token: string }): Promise<ForgeAccess>;
    removeForgeToken(host: string): Promise<void>;
  };
  /** The user's tool processors: new or changed files are loaded. */
  toolProcessors(): Promise<ToolProcessorList>;
  /** The size of the data dir, measured now. */
  storageUse(): Promise<StorageUse>;
  workers: WorkerService;
  /** Work that the server does by itself. */
  jobs: Pick<Jobs, "list" | "cancel">;
  /** The servers that share the database. */
  nodes: {
    list(): Promise<ServerNode[]>;
    remove(id: NodeId): Promise<void>;
    /** Calls `listener` with what agents of this server show before it is committed. Returns a function that ends it. */
    followLive(listener: (line: LiveLine) => void): Promise<() => void>;
  };
  /** Executions that the database does not have: see `Quarantine`. */
  quarantine: Pick<Quarantine, "list" | "recover" | "stop" | "remove">;
  /** Sessions of other programs. */
  imports: {
    /** What was found on this machine. Takes as long as it takes to list the files. */
    sources(): Promise<ImportSources>;
    runs(): ImportRuns;
    /** Returns at once; see `runs` for its progress. */
    start(input: StartImport): ImportRun;
    stop(): ImportRuns;
    /** Imports new sessions while the setting `importWatch` is on. */
    watch(): void;
    close(): Promise<void>;
  };
  usage(query: UsageQuery & { projectIds?: readonly ProjectId[] | undefined }): Promise<UsageReport>;
  search(query: { text: string; limit: number; signal?: AbortSignal; projectIds?: readonly ProjectId[] | undefined }): Promise<SearchHit[]>;
  events: {
    /** Committed and live events from now on, in order. The listener must not block. Returns a function that removes it. */
    subscribe(listener: (delivery: Delivery) => void): () => void;
    list(query: { after: number; limit: number; taskId?: TaskId }): Promise<SequencedEvent[]>;
    lastSeq(): Promise<number>;
    /** For a client that has missed too much to be sent all of it. */
    missed(query: { after: number }): AsyncIterable<SkeinEvent>;
    /** Uncommitted output of running executions, for a client that connects now. */
    live(query: { taskId?: TaskId }): Delivery[];
  };
}
