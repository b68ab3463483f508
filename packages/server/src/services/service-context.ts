import type { Actor, Attempt, Delivery, HostId, ProjectId } from "@skein/contracts";
import type { Host } from "@skein/host";
import type { AgentRegistry } from "../agents/agent-registry.ts";
import type { Checks } from "../checks/create-checks.ts";
import type { LaunchJournal } from "../data-dir/launch-journal.ts";
import type { HostedContext } from "../executions/execution-context.ts";
import type { ExecutionHolds } from "../executions/execution-holds.ts";
import type { ExecutionSlots } from "../executions/execution-slots.ts";
import type { ExecutionSupervisor } from "../executions/execution-supervisor.ts";
import type { ExportColours } from "../exports/export-colours.ts";
import type { toKnownSecrets } from "../exports/known-secrets.ts";
import type { StorageHealth } from "../faults/storage-health.ts";
import type { AttemptCreations } from "../hosts/attempt-creations.ts";
import type { WorkerService } from "../hosts/worker-service.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { GitLfsFiles } from "../lfs/git-lfs.ts";
import type { McpServerRegistry } from "../mcp/create-mcp-server-registry.ts";
import type { NodeMembership } from "../nodes/join-nodes.ts";
import type { LiveRelay } from "../nodes/live-relay.ts";
import type { ForgeConnections } from "../pull-requests/forge-connections.ts";
import type { RepositoryTrust } from "../repository/repository-trust.ts";
import type { ToolProcessors } from "../tool-processors/tool-processors.ts";
import type { BackgroundDeletion } from "./background-deletion.ts";
import type { Quarantine } from "./quarantine.ts";
import type { SettingsService } from "./server-services.ts";

/** What exports need of the server's machine. */
export interface ExportEnvironment {
  /** What is redacted by its value. */
  listSecrets(): Omit<Parameters<typeof toKnownSecrets>[0], "words">;
  /** The page without data; undefined if the web UI is not built. */
  readPage(): Promise<string | undefined>;
  /** What that page needs to colour code. */
  readColours(): Promise<ExportColours>;
}

/** Dependencies of all services. */
export interface ServiceContext extends HostedContext {
  /** The data dir, with the server's own files. */
  home: string;
  /** Only if several servers share the database. `ownDeliveries`: what agents of this server show before it is committed. */
  node?: { membership: NodeMembership; relay: LiveRelay; ownDeliveries(): Delivery[] } | undefined;
  storageHealth: StorageHealth;
  version: string;
  supervisor: ExecutionSupervisor;
  mcpServers: McpServerRegistry;
  repositoryTrust: RepositoryTrust;
  gitLfs: GitLfsFiles;
  launches: LaunchJournal;
  quarantine: Quarantine;
  backgroundDeletion: BackgroundDeletion;
  settings: SettingsService;
  toolProcessors: ToolProcessors;
  agents: AgentRegistry;
  slots: ExecutionSlots;
  holds: ExecutionHolds;
  checks: Checks;
  /** `areOn`: whether terminals are offered. `readHosts`: where programs in a sandbox may connect to. */
  terminals: { areOn: boolean; readHosts(): readonly string[] };
  workers: WorkerService;
  jobs: Pick<Jobs, "list" | "cancel" | "enqueue" | "schedule" | "unschedule">;
  creations: AttemptCreations;
  /** The machines that can be called now: the server's own, and connected workers. */
  listPlaces(): { hostId: HostId | null; host: Host }[];
  /** Moves an attempt to another host; null: the server's own machine. */
  moveAttempt(attempt: Attempt, to: HostId | null): Promise<Attempt>;
  forges: ForgeConnections;
  /** Keys of a project and of a user, by variable; only with users. */
  findKeys?(of: { projectId: ProjectId; by: Actor | undefined }): Promise<Record<string, string>>;
  /** Removes secrets from a text. */
  redact(text: string): string;
  exports: ExportEnvironment;
  /** Default: see `toNextCheck`. */
  pullRequestPollMs?: number | undefined;
}
