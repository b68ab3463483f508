import type {
  Actor,
  AgentSettings,
  FoundIds,
  GitHooks,
  GitLfs,
  Health,
  ProjectId,
  ProjectScripts,
  SearchHit,
  StartedRace,
  StartedTask,
  StorageFault,
  StorageUse,
  startRaceSchema,
  startTaskSchema,
  ToolProcessorList,
  TrustChange,
  UsageQuery,
  UsageReport,
} from "@skein/contracts";
import type { z } from "zod";
import type { Checks } from "../checks/create-checks.ts";
import type { WorkerService } from "../hosts/worker-service.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { BranchService, PullRequestService, ReviewService } from "./change-services.ts";
import type { CleanService } from "./clean-service.ts";
import type { FileService } from "./files.ts";
import type { FolderService } from "./folders.ts";
import type { IncomingHookService } from "./incoming-hooks.ts";
import type { Quarantine } from "./quarantine.ts";
import type { ScheduleService } from "./schedules.ts";
import type { AgentService, EventService, ImportService, NodeService, SettingsService } from "./server-services.ts";
import type {
  ApprovalService,
  AttemptService,
  CommandService,
  ConversationService,
  ExecutionService,
  HeldExecutionService,
  InboxService,
  OverviewService,
  ProjectService,
  QueueService,
  TaskService,
  WaitingExecutionService,
} from "./task-services.ts";
import type { TemplateService } from "./templates.ts";
import type { TerminalService } from "./terminals.ts";
import type { GrantService, McpServerService, TrustService } from "./trust-services.ts";

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
  projects: ProjectService;
  tasks: TaskService;
  attempts: AttemptService;
  /** The project's check script, run for an attempt. */
  checks: Pick<Checks, "find" | "request" | "stop">;
  terminals: TerminalService;
  executions: ExecutionService;
  /** Ids of tasks and attempts with `prefix`. */
  findIds(query: { prefix: string; limit: number; projectIds?: readonly ProjectId[] | undefined }): Promise<FoundIds>;
  commands: CommandService;
  review: ReviewService;
  branches: BranchService;
  pullRequests: PullRequestService;
  /** Creates a task and an attempt and starts its first message, all or nothing. Repeating an id returns the first result. */
  start(input: z.output<typeof startTaskSchema>, by?: Actor): Promise<StartedTask>;
  templates: TemplateService;
  schedules: ScheduleService;
  incomingHooks: IncomingHookService;
  /** The same for several attempts at once. */
  startRace(input: z.output<typeof startRaceSchema>, by?: Actor): Promise<StartedRace>;
  overviews: OverviewService;
  conversation: ConversationService;
  files: FileService;
  folders: FolderService;
  queue: QueueService;
  waitingExecutions: WaitingExecutionService;
  heldExecutions: HeldExecutionService;
  approvals: ApprovalService;
  inbox: InboxService;
  grants: GrantService;
  mcpServers: McpServerService;
  projectScripts: TrustService<ProjectScripts>;
  agentSettings: TrustService<AgentSettings>;
  gitHooks: TrustService<GitHooks>;
  gitLfs: TrustService<GitLfs>;
  /** Attempts whose folders differ from what is trusted. */
  trustChanges(projectId: ProjectId): Promise<TrustChange[]>;
  agents: AgentService;
  settings: SettingsService;
  /** The user's tool processors: new or changed files are loaded. */
  toolProcessors(): Promise<ToolProcessorList>;
  /** The size of the data dir, measured now. */
  storageUse(): Promise<StorageUse>;
  /** Removes what is not needed any more. */
  clean: CleanService;
  workers: WorkerService;
  /** Work that the server does by itself. */
  jobs: Pick<Jobs, "list" | "cancel">;
  nodes: NodeService;
  /** Executions that the database does not have: see `Quarantine`. */
  quarantine: Pick<Quarantine, "list" | "recover" | "stop" | "remove">;
  imports: ImportService;
  usage(query: UsageQuery & { projectIds?: readonly ProjectId[] | undefined }): Promise<UsageReport>;
  search(query: { text: string; limit: number; signal?: AbortSignal; projectIds?: readonly ProjectId[] | undefined }): Promise<SearchHit[]>;
  events: EventService;
}
