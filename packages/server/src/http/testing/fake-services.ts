import type {
  AgentInfo,
  Delivery,
  ForgeAccess,
  GeneralSettings,
  ImportRun,
  ProviderKey,
  SequencedEvent,
  SkeinEvent,
  TaskBudgets,
} from "@skein/contracts";
import { raceIdSchema } from "@skein/contracts";
import { defaultCompressionSettings, ServiceError } from "@skein/engine";
import type { AgentService } from "../../services/server-services.ts";
import type { Services } from "../../services/services.ts";
import { StreamedJson, writeJsonArray } from "../../services/streamed-json.ts";
import {
  agentSettings,
  approval,
  attempt,
  attemptSummary,
  automationRun,
  comment,
  commitId,
  conversationPage,
  devServer,
  execution,
  gitHooks,
  gitLfs,
  gitState,
  historyMessage,
  inboxItem,
  incomingHook,
  landing,
  mcpServer,
  project,
  projectScripts,
  pullRequest,
  queuedMessage,
  safetyRef,
  schedule,
  storedGrant,
  storedMessage,
  task,
  taskSummary,
  template,
  terminal,
  worker,
} from "./samples.ts";

export interface FakeServices extends Services {
  /** Commits an event and publishes it. */
  commit(event: SkeinEvent): void;
  /** Shows an event that is not committed. */
  show(event: SkeinEvent): void;
  /** Commits without publishing until `publishHeld`, as if a client connected in between. */
  commitHeld(event: SkeinEvent): void;
  publishHeld(): void;
  listenerCount(): number;
}

const defaults = { agent: null, model: null, permissionMode: null };
const general: GeneralSettings = {
  mergeMode: "live",
  toolTimeoutMinutes: 120,
  maxSteps: 200,
  pullRequestRounds: 0,
  importAs: "done",
  importWatch: false,
  limits: { running: null, perAgent: {}, perProject: {} },
  budgets: { perProject: {} },
  parking: { resume: false, onOverload: false, perProject: {} },
  retention: { worktreeDays: 0, sandboxHomeDays: 0, executionLogDays: 90 },
  systemPrompt: "",
  agentLimits: { depth: 1, starts: 10, costUsd: 10 },
  resources: { memoryMb: null, processes: 4096, perProject: {} },
  sandbox: { default: "off", hosts: [], perProject: {} },
  compression: defaultCompressionSettings,
};
const providerKey: ProviderKey = { name: "openai", label: "OpenAI", source: "settings", isSet: true, variable: "OPENAI_API_KEY" };
const forgeAccess: ForgeAccess = { host: "github.com", kind: "github", source: "none", isSet: false };
const addedAgent: AgentInfo = { id: "acp:demo", name: "Demo", available: true, models: [] };
const taskBudgets: TaskBudgets = { taskId: task.id, own: null, states: [], asking: null };
const sums = { executions: 1, inputTokens: 2, outputTokens: 3, costUsd: null, isPartial: false };

export type ServiceOverrides = Partial<Omit<Services, "agents">> & { agents?: Partial<AgentService> };

const importRun: ImportRun = {
  ...{ id: "import-1", source: "codex", state: "done", sessions: 1, finished: 1, bytes: 1, finishedBytes: 1, lines: 1, messages: 1 },
  ...{ added: 1, updated: 0, unchanged: 0, problems: [], furtherProblems: 0, startedAt: 1, endedAt: 2 },
};

/** In-memory services for tests of the HTTP layer. */
export function createFakeServices({ agents, ...overrides }: ServiceOverrides = {}): FakeServices {
  const log: SequencedEvent[] = [];
  const held: Delivery[] = [];
  const live: Delivery[] = [];
  const listeners = new Set<(delivery: Delivery) => void>();
  const publish = (delivery: Delivery) => {
    for (const listener of listeners) listener(delivery);
  };
  const append = (event: SkeinEvent): Delivery => {
    const seq = (log.at(-1)?.seq ?? 0) + 1;
    log.push({ seq, at: seq, event });
    return { seq, event };
  };
  return {
    health: async () => ({ status: "ready", version: "1.2.3", storage: "sqlite" }),
    lastHealth: () => ({ status: "ready", version: "1.2.3", storage: "sqlite" }),
    onHealthChanged: () => () => {},
    explainFault: async () => undefined,
    projects: {
      list: async () => [project],
      get: async (id) => {
        if (id !== project.id) throw new ServiceError("not-found", { code: "project-not-found", id });
        return project;
      },
      create: async () => project,
      update: async () => project,
      agentSessions: async () => ({ sessions: [{ id: "s1", title: "Fix it", updatedAt: 1 }], truncated: false }),
      branches: async () => ({ branches: ["main"], current: "main", truncated: false }),
      remove: async () => ({ keptBranches: ["skein/a-task-1"], cleanups: [] }),
    },
    tasks: {
      list: () => new StreamedJson(writeJsonArray(pieces([taskSummary]))),
      get: async () => taskSummary,
      create: async () => task,
      update: async () => task,
      updateMany: async () => [task],
      remove: async () => ({ keptBranches: ["skein/a-task-1"], cleanups: [] }),
    },
    attempts: {
      list: async () => [attemptSummary],
      get: async () => attemptSummary,
      create: async () => attempt,
      update: async () => attempt,
      activate: async () => attempt,
      move: async () => attempt,
      undoCompression: async () => {},
      remove: async () => ({ keptBranches: ["skein/a-task-1"], cleanups: [] }),
      diffStat: async () => ({ files: 1, additions: 2, deletions: 3 }),
      diff: async () => ({ baseCommit: "abc", files: [], truncated: false }),
      messages: async () => new StreamedJson(writeJsonArray(pieces([storedMessage]))),
      history: async (_id, { offset }) => ({
        offset,
        messages: [historyMessage],
        total: 1,
        settled: 1,
        compressionId: "none:0",
        summary: null,
      }),
      historyMessage: async () => historyMessage,
      nextRequest: async () => ({
        type: "transcript",
        attemptId: attempt.id,
        agent: "codex",
        agentName: "Codex",
        transcript: null,
        tokens: 0,
      }),
      executions: async () => [execution],
      export: async () => ({ mediaType: "text/markdown; charset=utf-8", fileName: 'a "task"\r\nx: y.md', pieces: pieces("# A task\n") }),
      previewRedaction: async () => ({ findings: [], more: 0 }),
    },
    checks: {
      find: async () => ({ check: null, isOutdated: null }),
      request: async () => ({ check: null, isOutdated: null }),
      stop: async () => ({ check: null, isOutdated: null }),
    },
    terminals: {
      list: async () => ({ terminals: [terminal], limit: 8 }),
      open: async () => terminal,
      readOutput: () => pieces('{"start":0,"data":"","end":0,"exit":null}\n'),
      write: async () => {},
      resize: async () => {},
      close: async () => {},
      findDev: async () => devServer,
      startDev: async () => devServer,
      stopDev: async () => devServer,
    },
    executions: {
      findOutput: async () => ({ size: 6, read: () => ReadableStream.from([new TextEncoder().encode("output")]) }),
      diff: async () => ({ baseCommit: "abc", files: [], truncated: false }),
    },
    heldExecutions: {
      list: async () => [{ execution, agent: attempt.agent, projectId: project.id }],
      answer: async () => {},
      resume: async () => {},
      setAutomatic: async () => execution,
      continueWith: async () => execution,
      budgets: async () => taskBudgets,
      setBudget: async () => taskBudgets,
      reconsider: async () => {},
    },
    waitingExecutions: {
      list: async () => [{ execution, agent: attempt.agent, projectId: project.id }],
      startNow: async () => {},
      move: async () => [{ execution, agent: attempt.agent, projectId: project.id }],
    },
    commands: { execute: async () => ({ executionId: execution.id }) },
    review: {
      get: async () => ({ comments: [comment], viewed: [] }),
      addComment: async () => comment,
      updateComment: async () => comment,
      removeComment: async () => {},
      send: async () => ({ executionId: execution.id }),
      setViewed: async () => {},
    },
    branches: {
      state: async () => gitState,
      uncommitted: async () => ({ baseCommit: "abc", files: [], truncated: false }),
      commit: async () => ({ commit: commitId, files: 1, hooks: { outcome: "none", output: "" } }),
      messageModel: async () => ({ model: "anthropic/small" }),
      suggestMessage: async () => ({ message: "Add a flag", model: "anthropic/small" }),
      discard: async () => ({ paths: ["a.ts"], safetyRef }),
      restore: async () => ({ paths: ["a.ts"], safetyRef }),
      update: async () => ({ outcome: "up-to-date" }),
      conflictSides: async (_id, path) => ({
        ...{ path, base: null, ours: "a", theirs: "b", current: "c", currentId: "id" },
        kinds: { base: "none", ours: "text", theirs: "text", current: "text" },
      }),
      resolve: async () => gitState,
      land: async () => landing,
      undoLanding: async () => gitState,
      push: async () => ({
        ...{ remote: "origin", branch: "skein/a-task", commit: commitId, newPullRequestUrl: null },
        hooks: { outcome: "none", output: "" },
      }),
      recover: async () => {},
    },
    pullRequests: {
      plan: async () => ({ pullRequest, title: "Greet", body: "", base: "main", target: null }),
      open: async () => ({ outcome: "created", pullRequest, hooks: { outcome: "none", output: "" } }),
      check: async () => pullRequest,
      sendFeedback: async () => ({ executionId: execution.id }),
      look: async () => {},
      watch: () => {},
      close: async () => {},
    },
    start: async () => ({ task, attempt, executionId: execution.id, after: 0 }),
    startRace: async () => ({ task, raceId: raceIdSchema.parse("rac_1"), attempts: [attempt], executionIds: [execution.id], after: 0 }),
    folders: {
      match: async () => ({ folders: [{ name: "repo", path: "~/repo", isRepository: true }], truncated: false }),
      suggest: async () => ({ folders: [{ name: "repo", path: "~/repo", isRepository: true }], truncated: false }),
    },
    overviews: {
      start: async () => ({
        lastSeq: log.at(-1)?.seq ?? 0,
        projects: [project],
        approvals: [approval],
        inbox: [inboxItem],
        board: { projectId: project.id, tasks: [taskSummary] },
        task: null,
      }),
      task: async () => ({
        task: taskSummary,
        attempts: [attemptSummary],
        conversation: conversationPage(log.at(-1)?.seq ?? 0),
        executions: [execution],
      }),
    },
    conversation: {
      page: async () => conversationPage(log.at(-1)?.seq ?? 0),
      find: async () => ({ messageIds: ["msg_1"], truncated: false }),
      activeCompression: async () => ({ summaryId: null }),
    },
    files: {
      folder: async (_, path) => ({ path, entries: [{ name: "a.ts", path: "a.ts", kind: "file" }], truncated: false }),
      file: async (_, { path }) => ({ kind: "text", path, size: 1, content: "a", truncated: false }),
      match: async () => ["a.ts"],
      commands: async () => [{ name: "compact", description: "Summarize", source: "built-in" }],
    },
    queue: {
      get: async () => ({ queue: [queuedMessage], queuePause: null }),
      update: async () => queuedMessage,
      move: async () => [queuedMessage],
      remove: async () => {},
      discard: async () => {},
    },
    approvals: { list: async () => [approval], answer: async () => approval },
    inbox: { list: async () => [inboxItem], update: async () => inboxItem },
    grants: { list: async () => [storedGrant], remove: async () => {} },
    mcpServers: {
      list: async () => ({ servers: [mcpServer], problems: [], problemTexts: [] }),
      trust: async () => mcpServer,
      revoke: async () => {},
    },
    projectScripts: { get: async () => projectScripts, trust: async () => projectScripts, revoke: async () => {} },
    gitLfs: { get: async () => gitLfs, trust: async () => gitLfs, revoke: async () => {} },
    gitHooks: { get: async () => gitHooks, trust: async () => gitHooks, revoke: async () => {} },
    agentSettings: { get: async () => agentSettings, trust: async () => agentSettings, revoke: async () => {} },
    trustChanges: async () => [
      {
        attemptId: attempt.id,
        attemptNumber: 1,
        taskId: task.id,
        taskTitle: task.title,
        scripts: true,
        agentSettings: false,
        hooks: false,
        mcpServers: [],
      },
    ],
    agents: {
      list: async () => ({ agents: [], defaultAgent: "native" }),
      catalogue: async () => ({
        entries: [],
        origin: { repository: "https://example.com", commit: "abc", date: "2026-01-01" },
        customCommand: ["skein"],
      }),
      add: async () => addedAgent,
      update: async () => addedAgent,
      remove: async () => {},
      ...agents,
    },
    findIds: async () => ({ ids: [], truncated: false }),
    settings: {
      get: async () => ({ providers: [providerKey], defaults, general, forges: [forgeAccess], sandboxSupport: { state: "supported" } }),
      setForgeToken: async () => forgeAccess,
      removeForgeToken: async () => {},
      setProviderKey: async () => providerKey,
      removeProviderKey: async () => {},
      setDefaults: async () => defaults,
      defaults: () => defaults,
      setGeneral: async () => general,
      general: () => general,
    },
    toolProcessors: async () => ({ folder: "/home/tool-processors", files: [] }),
    storageUse: async () => ({
      database: 1,
      executionLogs: 2,
      outputs: 3,
      worktrees: 4,
      sandboxHomes: 0,
      quarantine: 6,
      deleting: { messages: 7, worktrees: 8 },
      other: 5,
      projects: [],
    }),
    clean: {
      plan: async () => ({ items: [], kept: [], plannedAt: 1 }),
      start: ({ ids }) => ({ startedAt: 1, endedAt: null, total: ids.length, results: [] }),
      last: () => null,
      measure: async () => ({ attempts: [], missingHosts: [] }),
      watch: () => {},
      close: async () => {},
    },
    imports: {
      sources: async () => ({ sources: [{ source: "codex", name: "Codex", places: [], sessions: [], problems: [] }] }),
      runs: () => ({ runs: [importRun] }),
      start: () => importRun,
      startFile: async () => importRun,
      stop: () => ({ runs: [importRun] }),
      watch() {},
      close: async () => {},
    },
    nodes: {
      list: async () => [],
      update: async (id, { draining }) => ({
        ...{ id, name: "first", version: "1.0.0", state: "active", isOwn: true, startedAt: 1, seenAt: 2, runningExecutions: 0 },
        ...{ isDraining: draining, drain: null, canStop: false },
      }),
      remove: async () => {},
      followLive: async () => () => {},
    },
    templates: {
      list: async () => [template],
      get: async () => template,
      create: async () => template,
      update: async () => template,
      remove: async () => {},
    },
    schedules: {
      list: async () => [schedule],
      get: async () => schedule,
      create: async () => schedule,
      update: async () => schedule,
      remove: async () => {},
      runNow: async () => {},
      runs: async () => [automationRun],
      times: async () => [1, 2],
    },
    incomingHooks: {
      list: async () => [incomingHook],
      get: async () => incomingHook,
      create: async () => ({ hook: incomingHook, secret: "skh_1" }),
      update: async () => incomingHook,
      rotate: async () => ({ hook: incomingHook, secret: "skh_2" }),
      remove: async () => {},
      runs: async () => [automationRun],
      receive: async () => ({ status: "accepted", delivery: "1" }),
    },
    jobs: {
      list: async () => ({ jobs: [], schedules: [] }),
      cancel: async () => {},
    },
    quarantine: {
      list: async () => [{ id: execution.id, state: "quarantined", bytes: 1, startedAt: 1, recoverable: false }],
      recover: async () => ({ executionId: execution.id, attemptId: attempt.id, taskId: task.id }),
      stop: async () => {},
      remove: async () => {},
    },
    usage: async () => ({ days: [{ day: "2026-01-01", agent: "native", ...sums }], attempts: [] }),
    search: async () => [
      {
        ...{ kind: "task", source: "title", projectId: project.id, taskId: task.id, taskTitle: task.title, at: 1 },
        ...{ excerpt: "A task", ranges: [[2, 6]] },
      },
    ],
    workers: {
      list: async () => [worker],
      invite: async () => ({ id: worker.id, code: "code", expiresAt: 1, command: "skein worker --server http://localhost --token code" }),
      enrol: async () => ({ id: worker.id }),
      limitEnrolment: async () => ({ waitMs: 0 }),
      authenticate: async () => undefined,
      accept: async () => {},
      share: async () => {},
      synchronise: async () => {},
      update: async () => worker,
      remove: async () => {},
      choose: async () => worker.id,
      noteWaiting: () => {},
    },
    events: {
      subscribe: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      list: async ({ after, limit, taskId }) =>
        log
          .filter(({ seq, event }) => seq > after && (taskId === undefined || ("taskId" in event && event.taskId === taskId)))
          .slice(0, limit),
      lastSeq: async () => log.at(-1)?.seq ?? 0,
      async *missed({ after }) {
        const events = log.filter(({ seq }) => seq > after).map(({ event }) => event);
        yield* events.filter((event) => !("taskId" in event) || event.type === "task:deleted");
        const taskIds = new Set(events.flatMap((event) => ("taskId" in event ? [event.taskId] : [])));
        for (const id of taskIds) yield { type: "state:conversation-sync", taskId: id };
      },
      live: ({ taskId }) => live.filter(({ event }) => taskId === undefined || ("taskId" in event && event.taskId === taskId)),
    },
    commit: (event) => publish(append(event)),
    show: (event) => {
      live.push({ event });
      publish({ event });
    },
    commitHeld: (event) => void held.push(append(event)),
    publishHeld: () => {
      for (const delivery of held.splice(0)) publish(delivery);
    },
    listenerCount: () => listeners.size,
    ...overrides,
  };
}

async function* pieces<T>(...all: T[]): AsyncGenerator<T, void> {
  yield* all;
}
