import type { Health, StorageFault } from "@skein/contracts";
import { readSealSecret } from "../data-dir/seal-secret.ts";
import { toStorageDetail } from "../faults/storage-detail.ts";
import { watchPullRequests } from "../pull-requests/watch-pull-requests.ts";
import { createAgentService } from "./agents.ts";
import { createApprovalService } from "./approvals.ts";
import { createAttemptService } from "./attempts.ts";
import { createBranchService } from "./branches.ts";
import { createCleanService } from "./clean-service.ts";
import { createCommandService } from "./commands.ts";
import { createConversationService } from "./conversation.ts";
import { createAttemptCreation } from "./create-attempt.ts";
import { createExecutionDiff } from "./execution-diff.ts";
import { createFileService } from "./files.ts";
import { createFolderService } from "./folders.ts";
import { createGrantService } from "./grants.ts";
import { createHeldExecutionService } from "./held-executions.ts";
import { createImportService } from "./imports.ts";
import { createInboxService } from "./inbox.ts";
import { createIncomingHookService } from "./incoming-hooks.ts";
import { listMissed } from "./list-missed.ts";
import { createMcpServerService } from "./mcp-servers.ts";
import { createNodeService } from "./nodes.ts";
import { createOutputService } from "./outputs.ts";
import { createOverviewService } from "./overviews.ts";
import { createProjectService } from "./projects.ts";
import { createPullRequestService } from "./pull-requests.ts";
import { createQueueService } from "./queue.ts";
import { createAttemptRemoval } from "./remove-attempts.ts";
import { createRepositoryService } from "./repository.ts";
import { createReviewService } from "./review.ts";
import { createScheduleService } from "./schedules.ts";
import type { ServiceContext } from "./service-context.ts";
import type { Services } from "./services.ts";
import { createRaceStart } from "./start-race.ts";
import { createTaskStart } from "./start-task.ts";
import { createStorageUseService } from "./storage-use.ts";
import { createTaskService } from "./tasks.ts";
import { createTemplateService } from "./templates.ts";
import { createTerminalService } from "./terminals.ts";
import { createWaitingExecutionService } from "./waiting-executions.ts";

/** Creates all services. They share one context. */
export function createServices(context: ServiceContext): Services {
  const { storage, supervisor } = context;
  const removeAttempts = createAttemptRemoval(context);
  const creation = createAttemptCreation(context);
  const commands = createCommandService(context);
  const branches = createBranchService(context, commands);
  const pullRequests = createPullRequestService(context, {
    ...{ connections: context.forges, commands, branches, pollMs: context.pullRequestPollMs },
    watch: (check) => watchPullRequests({ storage, logger: context.logger, now: context.now, check }),
  });
  const heldExecutions = createHeldExecutionService(context);
  const toHealth = (fault: StorageFault | undefined): Health => ({
    status: fault === undefined ? "ready" : "degraded",
    version: context.version,
    storage: storage.kind,
    ...(fault === undefined ? {} : { problem: { cause: fault, detail: toStorageDetail(fault) } }),
  });
  return {
    health: async () => toHealth(await context.storageHealth.check()),
    lastHealth: () => toHealth(context.storageHealth.fault),
    onHealthChanged: (listener) => context.storageHealth.onChange((fault) => listener(toHealth(fault))),
    explainFault: context.storageHealth.explain,
    projects: createProjectService(context, removeAttempts),
    tasks: createTaskService(context, removeAttempts),
    attempts: createAttemptService(context, { create: creation.create, removeAttempts }),
    checks: context.checks,
    terminals: createTerminalService(context),
    executions: { ...createOutputService(context), diff: createExecutionDiff(context) },
    commands,
    review: createReviewService(context, commands),
    branches,
    pullRequests,
    start: createTaskStart(context, creation),
    startRace: createRaceStart(context, creation),
    templates: createTemplateService(context),
    schedules: createScheduleService(context),
    incomingHooks: createIncomingHookService(context, () => readSealSecret(context.home)),
    overviews: createOverviewService(context),
    conversation: createConversationService(context),
    files: createFileService(context),
    folders: createFolderService(context),
    queue: createQueueService(context),
    approvals: createApprovalService(context),
    inbox: createInboxService(context),
    grants: createGrantService(context),
    mcpServers: createMcpServerService(context),
    ...createRepositoryService(context),
    agents: createAgentService(context),
    async findIds({ limit, ...query }) {
      const ids = await storage.read.findIds({ ...query, limit: limit + 1 });
      return { ids: ids.slice(0, limit), truncated: ids.length > limit };
    },
    settings: withSlots(context, heldExecutions.reconsider),
    waitingExecutions: createWaitingExecutionService(context),
    heldExecutions,
    toolProcessors: () => context.toolProcessors.list(),
    storageUse: createStorageUseService(context),
    clean: createCleanService(context),
    nodes: createNodeService(context),
    quarantine: context.quarantine,
    workers: context.workers,
    jobs: context.jobs,
    imports: createImportService(context),
    usage: (query) => storage.read.reportUsage(query),
    search: (query) => storage.read.search(query),
    events: {
      subscribe: (listener) => context.hub.subscribe(listener),
      list: (query) => storage.read.listEvents(query),
      lastSeq: () => storage.read.getLastSeq(),
      missed: (query) => listMissed(storage.read, query),
      live: (query) => supervisor.liveDeliveries(query),
    },
  };
}

/** Executions that wait may start when a limit or a budget is raised. */
function withSlots({ settings, slots, logger }: ServiceContext, reconsider: () => Promise<void>): Services["settings"] {
  return {
    ...settings,
    async setGeneral(changes) {
      const general = await settings.setGeneral(changes);
      if (changes.limits !== undefined)
        slots.assign().catch((error: unknown) => logger.error("waiting executions could not be started", { error }));
      if (changes.budgets !== undefined)
        reconsider().catch((error: unknown) => logger.error("changed budgets could not be applied", { error }));
      return general;
    },
  };
}
