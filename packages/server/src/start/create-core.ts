import { join } from "node:path";
import { startTaskSchema } from "@skein/contracts";
import { type AgentRegistry, createAgentRegistry } from "../agents/agent-registry.ts";
import { type Checks, createChecks } from "../checks/create-checks.ts";
import { watchDatabase } from "../data-dir/database-watch.ts";
import { relocateWorktrees } from "../data-dir/relocate-worktrees.ts";
import { readSealSecret } from "../data-dir/seal-secret.ts";
import { openUnrecordedEnds } from "../data-dir/unrecorded-ends.ts";
import { beginEpoch } from "../executions/begin-epoch.ts";
import { createContinuations, createParkedJobs } from "../executions/continuations.ts";
import type { DrainGate, DrainGateContext, DrainingServer } from "../executions/drain-gate.ts";
import { createExecutionHolds } from "../executions/execution-holds.ts";
import { createExecutionSlots } from "../executions/execution-slots.ts";
import { createExecutionSupervisor, type ExecutionSupervisor } from "../executions/execution-supervisor.ts";
import { toSandboxHosts } from "../executions/project-limits.ts";
import { createSpendingWatch } from "../executions/spending-watch.ts";
import { type AttemptCreations, createAttemptCreations } from "../hosts/attempt-creations.ts";
import { moveAttempt } from "../hosts/move-attempt.ts";
import { createWorkerService, type WorkerService } from "../hosts/worker-service.ts";
import { createJobs } from "../jobs/create-jobs.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { createOwnJobs } from "../jobs/own-jobs.ts";
import { openGitLfsFiles } from "../lfs/git-lfs.ts";
import { createMcpServerRegistry } from "../mcp/create-mcp-server-registry.ts";
import { showRemote } from "../nodes/show-remote.ts";
import { openRepositoryTrust } from "../repository/repository-trust.ts";
import { createAutomationHandlers } from "../services/automation-handlers.ts";
import { type BackgroundDeletion, createBackgroundDeletion } from "../services/background-deletion.ts";
import { createServices } from "../services/create-services.ts";
import { createParkedJobHandlers } from "../services/parked-jobs.ts";
import { createQuarantine, type Quarantine } from "../services/quarantine.ts";
import type { Services } from "../services/services.ts";
import { createSettingsService } from "../settings/settings-service.ts";
import type { SharedSettings } from "../settings/shared-settings.ts";
import { createAgentConnections } from "../team/agent-connections.ts";
import type { OwnedKeys } from "../team/owned-keys.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { endTerminalsOfArchived } from "../terminals/end-terminals.ts";
import { areTerminalsOn } from "../terminals/terminal-settings.ts";
import { createToolProcessors } from "../tool-processors/tool-processors.ts";
import { version } from "../version.ts";
import type { Cleanup } from "./cleanup.ts";
import type { Foundation } from "./open-foundation.ts";
import { openTelemetry } from "./open-telemetry.ts";
import type { ServerOptions } from "./server-options.ts";
import { readExportColours, readExportPage } from "./web-root.ts";

/** Agents and their executions, and the services that everything outside uses. */
export interface Core {
  /** Undefined if metrics are off. */
  renderMetrics: Metrics["render"] | undefined;
  services: Services;
  supervisor: ExecutionSupervisor;
  checks: Checks;
  workers: WorkerService;
  quarantine: Quarantine;
  jobs: Jobs;
  backgroundDeletion: BackgroundDeletion;
  creations: AttemptCreations;
  /** Only with users. */
  ownedKeys: OwnedKeys | undefined;
  /** Agents that may use Skein wait for it: those of the previous server are started before the address is known. */
  announceUrl(url: string | undefined): void;
}

export async function createCore(options: ServerOptions, foundation: Foundation, cleanup: Cleanup): Promise<Core> {
  const { dataDir, access, forges, secrets, logger, storage, storageHealth, hub, node, directory, local, host, locator, carrier } =
    foundation;
  const { home } = dataDir;
  const now = Date.now;
  const listPlaces = () => [{ hostId: null, host: local }, ...directory.listConnected()];
  const creations = createAttemptCreations({
    ...{ storage, logger, hasRepository: locator.hasRepository },
    listPlaces,
    isGone: (hostId) => directory.find(hostId)?.stored.state === "removed",
  });
  const mcpServers = createMcpServerRegistry({ home, config: options.mcpServers ?? [], environment: process.env, host });
  await relocateWorktrees({ storage, host, home, logger });
  const launches = await beginEpoch({ storage, host, home, logger, now });
  // health tries to write something and gets the reason of the failure
  const reportDamage = () => void storage.transaction(async () => {}).catch(() => {});
  cleanup.add(watchDatabase({ storage, logger, onDamage: reportDamage }));
  const repositoryTrust = openRepositoryTrust({ home, files: host.workspaces });
  const gitLfs = openGitLfsFiles({ home, workspaces: host.workspaces });
  const toolProcessors = createToolProcessors({ folder: join(home, "tool-processors"), logger });
  cleanup.add(() => toolProcessors.close());
  const telemetry = await openTelemetry(options, foundation, cleanup);
  const context = { storage, hub, logger, host, now, watcher: telemetry, loadPresentTool: toolProcessors.load } as const;
  const shared = await openShared(options, foundation);
  const settings = createSettingsService({
    shared,
    ...{ home, config: options, environment: process.env, access, forges },
    checkSandbox: async () => (await import("@skein/host/sandbox-support")).checkSandboxSupport(),
  });
  const agents: AgentRegistry = createAgentRegistry({
    config: options,
    environment: process.env,
    access,
    readGeneral: settings.general,
    redact: (command) => command.map((part) => String(secrets.redact(part))),
  });
  const workers = createWorkerService({
    ...{ storage, findAgent: agents.find, directory, locator, listFetches: carrier.listFetches, logger, now },
    loadLimits: async () => (await import("../team/sign-in-limits.ts")).createSignInLimits({ storage, now }),
  });
  const ownedKeys = options.team === undefined ? undefined : await openOwnedKeys(foundation);
  secrets.include({ agents, ownedKeys });
  const listening = Promise.withResolvers<string | undefined>();
  cleanup.add(() => listening.resolve(undefined));
  const readBudgets = () => settings.general().budgets;
  const spending = createSpendingWatch({ context, readBudgets });
  cleanup.add(() => spending.close());
  const parkedJobs = createParkedJobs((job, tx) => jobs.enqueue(job, tx));
  const continuations = createContinuations({ readParking: () => settings.general().parking, jobs: parkedJobs });
  const holds = createExecutionHolds({ context, readBudgets, jobs: parkedJobs, explainFault: storageHealth.explain });
  cleanup.add(() => holds.close());
  const slots = createExecutionSlots({ context, readLimits: () => settings.general().limits, explainFault: storageHealth.explain });
  cleanup.add(() => slots.close());
  const drain = node && (await openDrainGate(node.membership, { context, assignSlots: slots.assign }));
  shared?.onChanged(() => {
    slots.assign().catch((error: unknown) => logger.error("waiting executions could not be started", { error }));
    spending.reconsider();
  });
  const supervisor = createExecutionSupervisor({
    ...{ slots, holds },
    ...(drain === undefined ? {} : { drain }),
    ...(ownedKeys === undefined ? {} : { findKeys: ownedKeys.forExecution }),
    connectAgent: createAgentConnections({
      ...{ storage, now, findLimits: () => settings.general().agentLimits },
      // a worker reaches the server at its public address
      findUrl: async ({ hostId }) => (hostId ? options.publicUrl : await listening.promise),
    }),
    context: { ...context, spending, continuations },
    unrecorded: openUnrecordedEnds(home),
    findAdapter: agents.find,
    mcpServers,
    repositoryTrust,
    gitLfs,
    launches,
    toolTimeoutMs: () => settings.general().toolTimeoutMinutes * 60_000,
    readGeneral: settings.general,
    explainFault: storageHealth.explain,
    noteWaiting: workers.noteWaiting,
  });
  cleanup.add(() => supervisor.close());
  const checks = createChecks({
    ...{ context, trust: repositoryTrust, waitUntilSettled: supervisor.waitUntilSettled },
    readHosts: (projectId) => toSandboxHosts(settings.general(), projectId),
  });
  cleanup.add(() => checks.close());
  cleanup.add(endTerminalsOfArchived(context));
  const resumeHost = () =>
    void Promise.all([supervisor.resumeHost(), checks.recover()]).catch((error: unknown) =>
      logger.error("executions on a worker could not be resumed", { error }),
    );
  cleanup.add(directory.onChange(resumeHost));
  cleanup.add(directory.onChange(() => void creations.recover()));
  if (node !== undefined) {
    const { keepMirrors } = await import("../hosts/keep-mirrors.ts");
    cleanup.add(keepMirrors({ storage, local, directory, locator, carrier, owns: supervisor.owns, logger }));
  }
  const quarantine = createQuarantine({ ...context, supervisor, launches });
  const backgroundDeletion = createBackgroundDeletion({ storage, host, logger });
  cleanup.add(() => backgroundDeletion.close());
  const handlers = {
    ...createOwnJobs({ storage, now }),
    ...createParkedJobHandlers({
      ...{ storage, logger, now, jobs: parkedJobs },
      findAgentName: (id) => agents.find(id)?.name ?? id,
      start: (input, by) => services.start(startTaskSchema.parse(input), by),
      stop: (id) => supervisor.stop(id),
    }),
  };
  const leavesToOthers = () => (node?.membership.isDraining() && node.membership.hasOthers()) ?? false;
  const automations = createAutomationHandlers({
    ...{ storage, logger, now, nodeId: node?.membership.id },
    jobs: { enqueue: (job, tx) => jobs.enqueue(job, tx) },
    effects: {
      start: (input, by) => services.start(input, by),
      execute: (command, alongside, by) => services.commands.execute(command, alongside, by),
    },
  });
  const jobs: Jobs = createJobs({ storage, handlers: { ...handlers, ...automations }, logger, now, leavesToOthers });
  cleanup.add(() => jobs.close());
  const services = createServices({
    ...context,
    jobs,
    ...(ownedKeys === undefined ? {} : { findKeys: ownedKeys.find }),
    backgroundDeletion,
    quarantine,
    launches,
    storageHealth,
    home,
    node: node && { ...node, ownDeliveries: () => supervisor.liveDeliveries({}) },
    version,
    supervisor: node === undefined ? supervisor : showRemote(supervisor, node.relay),
    mcpServers,
    repositoryTrust,
    gitLfs,
    agents,
    ...{ slots, holds, spending, checks },
    terminals: { areOn: areTerminalsOn(options), readHosts: () => settings.general().sandbox.hosts },
    workers,
    creations,
    listPlaces,
    moveAttempt: (attempt, to) => moveAttempt({ context, supervisor, local, directory, locator, carrier, creations }, attempt, to),
    settings,
    forges,
    redact: (text) => String(secrets.redact(text)),
    exports: {
      listSecrets: secrets.listForExports,
      readPage: () => readExportPage(options.webRoot),
      readColours: () => readExportColours(options.webRoot),
    },
    pullRequestPollMs: options.pullRequestPollSeconds === undefined ? undefined : options.pullRequestPollSeconds * 1000,
    toolProcessors,
  });
  cleanup.add(() => services.pullRequests.close());
  cleanup.add(() => services.imports.close());
  cleanup.add(() => services.clean.close());
  const { renderMetrics } = telemetry ?? {};
  return {
    renderMetrics,
    services,
    supervisor,
    checks,
    creations,
    workers,
    quarantine,
    jobs,
    backgroundDeletion,
    ownedKeys,
    announceUrl: listening.resolve,
  };
}

/** Loaded only if several servers can share the database. */
async function openDrainGate(
  membership: DrainingServer,
  { context, assignSlots }: { context: DrainGateContext; assignSlots(): Promise<void> },
): Promise<DrainGate> {
  const { createDrainGate } = await import("../executions/drain-gate.ts");
  const onHeld = () =>
    void assignSlots().catch((error: unknown) => context.logger.error("waiting executions could not be started", { error }));
  return createDrainGate({ context, membership, onHeld });
}

/** Loaded only if several servers can share the database. */
async function openShared(config: ServerOptions, { storage, node, logger }: Foundation): Promise<SharedSettings | undefined> {
  const { nodes } = storage;
  if (nodes === undefined || node === undefined) return undefined;
  const { openSharedSettings } = await import("../settings/shared-settings.ts");
  const secret = process.env.SKEIN_CLUSTER_SECRET;
  const seal = secret ? (await import("../team/seal.ts")).createSeal(() => secret, "skein shared settings") : undefined;
  return openSharedSettings({ nodes, config, seal, onRenewed: node.membership.onRenewed, logger });
}

/** Loaded only with users. */
async function openOwnedKeys({ storage, dataDir }: Foundation): Promise<OwnedKeys> {
  const { createOwnedKeys } = await import("../team/owned-keys.ts");
  const secret = () => readSealSecret(dataDir.home);
  return createOwnedKeys({ storage, now: Date.now, secret });
}
