import {
  type AgentSettings,
  type Approval,
  type Attempt,
  type AttemptSummary,
  type AutomationRun,
  approvalIdSchema,
  attemptIdSchema,
  type ConversationPage,
  commentIdSchema,
  type DevServer,
  type EndedExecution,
  executionIdSchema,
  type GitHooks,
  type GitLfs,
  type GitState,
  grantIdSchema,
  type HistoryEntry,
  hostIdSchema,
  type InboxItem,
  type IncomingHook,
  incomingHookIdSchema,
  type Landing,
  type ListedGrant,
  type McpServerInfo,
  messageIdSchema,
  type Project,
  type ProjectScripts,
  type PullRequest,
  projectIdSchema,
  type QueuedMessage,
  queuedMessageIdSchema,
  type ReviewComment,
  type SafetyRef,
  type Schedule,
  type SkeinEvent,
  type StoredMessage,
  scheduleIdSchema,
  type TaskId,
  type TaskSummary,
  type Template,
  type Terminal,
  taskIdSchema,
  templateIdSchema,
  terminalIdSchema,
  type Worker,
} from "@skein/contracts";
import { buildTask } from "@skein/testkit/builders";

export const projectId = projectIdSchema.parse("prj_1");
export const taskId = taskIdSchema.parse("tsk_1");
export const otherTaskId = taskIdSchema.parse("tsk_2");
export const attemptId = attemptIdSchema.parse("att_1");
const executionId = executionIdSchema.parse("exe_1");

export const project: Project = { id: projectId, name: "demo", path: "/repo", systemPrompt: "", createdAt: 1, updatedAt: 1 };
export const task = buildTask({ id: taskId, projectId, title: "A task", activeAttemptId: attemptId, createdAt: 1, updatedAt: 1 });
export const attempt: Attempt = {
  id: attemptId,
  taskId,
  number: 1,
  agent: "native",
  model: null,
  permissionMode: "full",
  systemPrompt: "",
  isolation: "worktree",
  directory: "/worktree",
  branch: "skein/a-task",
  baseBranch: "main",
  baseCommit: "abc",
  sessionId: null,
  continuedFrom: null,
  active: true,
  createdAt: 1,
  updatedAt: 1,
};
export const template: Template = {
  ...{ id: templateIdSchema.parse("tpl_1"), projectId, name: "Nightly", prompt: "Look at {{file}}", title: null, agent: null, model: null },
  ...{ permissionMode: null, sandbox: null, baseBranch: null, createdAt: 1, updatedAt: 1 },
};
export const schedule: Schedule = {
  ...{
    id: scheduleIdSchema.parse("sch_1"),
    projectId,
    name: "Nightly",
    cron: "0 9 * * *",
    timeZone: "UTC",
    missed: "skip",
    overlap: "skip",
  },
  ...{ enabled: true, action: { type: "template", templateId: template.id, values: {} }, createdAt: 1, updatedAt: 1, nextRunAt: 2 },
  ...{ missedRuns: 0, lastMissedAt: null, lastRun: null },
};
export const automationRun: AutomationRun = {
  ...{ key: "job_1", state: "failed", at: 1, endedAt: 2, taskId: null, executionId: null, isManual: false },
  reason: { code: "previous-run-open" },
};
export const incomingHook: IncomingHook = {
  ...{ id: incomingHookIdSchema.parse("hok_1"), projectId, name: "Issues", enabled: true, action: schedule.action },
  ...{ createdAt: 1, updatedAt: 1, lastRun: automationRun },
};
const totals = { executions: 1, durationMs: 1, usage: { costUsd: 0.5 } };
export const attemptSummary: AttemptSummary = { ...attempt, totals, lastEnd: { executionId, status: "success", endedAt: 2 } };
export const taskSummary: TaskSummary = {
  ...task,
  activity: {
    seq: 1,
    attemptId,
    agent: "native",
    executing: false,
    attempts: 1,
    pendingApprovals: 0,
    queued: 0,
    queuePaused: false,
    open: [],
    pullRequests: [],
    lastEnd: attemptSummary.lastEnd,
    totals,
  },
};
export const execution: EndedExecution = {
  id: executionId,
  taskId,
  attemptId,
  number: 1,
  startedAt: 1,
  status: "success",
  endedAt: 2,
  durationMs: 1,
  exitCode: 0,
  reason: null,
  code: null,
  usage: {},
};
export const storedMessage: StoredMessage = {
  id: messageIdSchema.parse("msg_1"),
  attemptId,
  executionId,
  position: 0,
  body: { role: "user", content: "hello" },
  createdAt: 1,
};

export const historyMessage: HistoryEntry = {
  id: storedMessage.id,
  executionId: storedMessage.executionId,
  body: storedMessage.body,
  isShortened: false,
  createdAt: storedMessage.createdAt,
  size: { tokens: 5, isEstimate: true },
  isInherited: false,
  isLive: false,
  isSummarized: false,
  pruned: [],
};
export const queuedMessage: QueuedMessage = {
  id: queuedMessageIdSchema.parse("que_1"),
  taskId,
  attemptId,
  message: "next",
  images: [],
  steer: false,
  createdAt: 1,
};
export const approval: Approval = {
  id: approvalIdSchema.parse("apr_1"),
  taskId,
  attemptId,
  executionId,
  toolUseId: "toolu_1",
  toolName: "Bash",
  input: { command: "ls" },
  reason: null,
  requestedAt: 1,
  status: "pending",
};

export const inboxItem: InboxItem = { kind: "ended", id: executionId, taskId, attemptId, execution, clearedAt: null };

export function conversationPage(lastSeq: number): ConversationPage {
  return {
    messages: [],
    isExecuting: false,
    canSendMessage: true,
    attemptId,
    queue: [],
    queuePause: null,
    approvals: [],
    lastSeq,
    hasMore: false,
  };
}

/** A message of the conversation; the text makes it as large as a test needs. */
export function messageAdded(
  text: string,
  options: { taskId?: TaskId; revision?: number; metadata?: { streaming: true } } = {},
): SkeinEvent {
  return {
    type: "message:added",
    taskId: options.taskId ?? taskId,
    attemptId,
    message: {
      id: "msg_1",
      role: "assistant",
      messageType: "text",
      content: text,
      timestamp: 1,
      revision: options.revision ?? 1,
      ...(options.metadata === undefined ? {} : { metadata: options.metadata }),
    },
  };
}
const hash = "a".repeat(64);
export const projectScripts: ProjectScripts = {
  setup: "npm ci",
  cleanup: null,
  timeoutSeconds: 600,
  check: null,
  checkTimeoutSeconds: null,
  dev: null,
  copy: [".env"],
  hash,
  trust: "none",
  files: [],
  changes: [],
};
export const gitLfs: GitLfs = {
  ...{ isUsed: true, url: "https://example.com/app.git", program: "/usr/bin/git-lfs" },
  ...{ files: [], changes: [], hash, trust: "none" },
};
export const gitHooks: GitHooks = {
  hooks: [{ name: "pre-commit", text: "#!/bin/sh\n" }],
  settings: [],
  files: [],
  changes: [],
  hash,
  trust: "none",
};
export const agentSettings: AgentSettings = { files: [".claude/settings.json"], changes: [], hash, trust: "none" };
export const mcpServer: McpServerInfo = {
  name: "demo",
  source: "project",
  state: "new",
  hash: "0".repeat(64),
  definition: { type: "stdio", name: "demo", command: "node", args: ["server.js"], env: {} },
  files: ["server.js"],
  changes: [],
};
export const storedGrant: ListedGrant = {
  id: grantIdSchema.parse("rul_1"),
  projectId: project.id,
  grant: { type: "read-only-command", tool: "bash", program: "git status" },
  createdAt: 1,
  isInEffect: true,
};

export const commitId = "a".repeat(40);
export const comment: ReviewComment = {
  ...{ id: commentIdSchema.parse("cmt_1"), taskId, attemptId, path: "a.ts", side: "new", startLine: 1, endLine: 1, quote: "a" },
  ...{ body: "Why?", state: "draft", executionId: null, createdAt: 1, updatedAt: 1, isOutdated: false },
};
export const safetyRef: SafetyRef = { ref: "refs/skein/safety/att_1/1-discard", commit: commitId, before: "discard", createdAt: 1 };
export const landing: Landing = {
  method: "squash",
  branch: "main",
  commit: commitId,
  previous: "b".repeat(40),
  head: "c".repeat(40),
  landedAt: 1,
};
export const pullRequest: PullRequest = {
  ...{
    forge: "github",
    host: "github.com",
    repository: "acme/app",
    number: 1,
    url: "https://github.com/acme/app/pull/1",
    title: "Greet",
    body: "",
  },
  ...{ state: "open", head: "skein/a-task", headCommit: commitId, base: "main", mergeable: "yes", checks: [], reviews: [] },
  ...{ unsent: { checks: [], reviews: [] }, automaticRounds: 0, problem: null, checkedAt: 1 },
};
export const gitState: GitState = {
  ...{ branch: "skein/a-task", head: commitId, base: { branch: "main", tip: commitId, commit: commitId }, ahead: 1, behind: 0 },
  ...{ dirty: { files: 0, paths: [] }, conflict: null, landing: null, safetyRefs: [safetyRef], remote: null },
  ...{ pullRequest: null, obstacles: { commit: { text: { code: "nothing-to-commit" } } } },
};

export const worker: Worker = {
  ...{ id: hostIdSchema.parse("hst_1"), name: "build box", tags: ["gpu"], capacity: 4, version: "0.1.0", agents: [], state: "active" },
  ...{ expiresAt: null, lastSeenAt: 1, createdAt: 1, isConnected: true, running: 1, waiting: 0, waitingExecutions: [] },
  ...{ fetches: [], isOtherVersion: false },
};

export const terminal: Terminal = { id: terminalIdSchema.parse("trm_1"), number: 1, startedAt: 1, sandboxed: false, exit: null };
export const devServer: DevServer = { state: "none", port: null, url: null, startedAt: null, exit: null, run: null };
