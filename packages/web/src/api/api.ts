import type {
  AnswerApproval,
  ApprovalId,
  AttemptId,
  Command,
  CreateAttempt,
  CreateProject,
  CreateSession,
  CreateTask,
  GrantId,
  InboxItemId,
  Logout,
  ProjectId,
  QueuedMessageId,
  StartRace,
  StartTask,
  Task,
  TaskId,
  TaskStatus,
  TrustMcpServer,
  UpdateAttempt,
  UpdateInboxItem,
  UpdateProject,
  UpdateTask,
  UpdateTasks,
} from "@skein/contracts";
import { request } from "./request.ts";
import { withRetry } from "./retry.ts";
import { toPlaceQuery } from "./to-place-query.ts";

type Signal = AbortSignal | undefined;

/** The newest page, the one before a message, the one from a message on, or the one around a message. */
export interface ConversationQuery {
  taskId: TaskId;
  attemptId?: AttemptId | undefined;
  before?: string;
  from?: string;
  around?: string;
}

export interface TaskPageQuery {
  projectId: ProjectId;
  status?: TaskStatus;
  after?: Task | undefined;
  limit: number;
}

/** The routes, one line each. */
export const api = {
  listProjects: (signal: Signal) => request("/api/projects", { answer: "projects", signal }),
  createProject: (body: CreateProject) => request("/api/projects", { answer: "project", method: "POST", body }),
  updateProject: (id: ProjectId, body: UpdateProject) =>
    withRetry(() => request(`/api/projects/${id}`, { answer: "project", method: "PATCH", body })),
  // the user has confirmed it: uncommitted changes are deleted, too
  deleteProject: (id: ProjectId) => request(`/api/projects/${id}?discard=true`, { answer: "deletion", method: "DELETE" }),

  listGrants: (id: ProjectId, signal: Signal) => request(`/api/projects/${id}/permission-rules`, { answer: "grants", signal }),
  deleteGrant: (id: GrantId) => request(`/api/permission-rules/${id}`, { method: "DELETE" }),
  listMcpServers: (id: ProjectId, attemptId: AttemptId | undefined, signal: Signal) =>
    request(`/api/projects/${id}/mcp-servers${toPlaceQuery(attemptId)}`, { answer: "mcpServers", signal }),
  /** The hash is of what was shown: a server that has changed since is not trusted. */
  trustMcpServer: (id: ProjectId, name: string, body: TrustMcpServer) =>
    request(`/api/projects/${id}/mcp-servers/${encodeURIComponent(name)}/trust`, { answer: "mcpServer", method: "POST", body }),
  revokeMcpServer: (id: ProjectId, name: string) =>
    request(`/api/projects/${id}/mcp-servers/${encodeURIComponent(name)}/trust`, { method: "DELETE" }),

  /** In their order: the first ones, or those after a task; of all columns or of one. */
  listTasks: ({ projectId, status, after, limit }: TaskPageQuery, signal: Signal) => {
    const column = status === undefined ? "" : `&status=${status}`;
    const place = after === undefined ? "" : `&after=${encodeURIComponent(`${after.position},${after.createdAt},${after.id}`)}`;
    return request(`/api/tasks?projectId=${projectId}&descriptions=short&activity=short&limit=${limit}${column}${place}`, {
      answer: "taskSummaries",
      signal,
    });
  },
  listArchivedTasks: (projectId: ProjectId, signal: Signal) =>
    request(`/api/tasks?projectId=${projectId}&descriptions=short&activity=short&archived=true`, { answer: "taskSummaries", signal }),
  updateTasks: (body: UpdateTasks) => withRetry(() => request("/api/tasks", { answer: "tasks", method: "PATCH", body })),
  getTask: (id: TaskId, signal: Signal) => request(`/api/tasks/${id}`, { answer: "taskSummary", signal }),
  createTask: (body: CreateTask) => request("/api/tasks", { answer: "task", method: "POST", body }),
  updateTask: (id: TaskId, body: UpdateTask) => withRetry(() => request(`/api/tasks/${id}`, { answer: "task", method: "PATCH", body })),
  deleteTask: (id: TaskId) => request(`/api/tasks/${id}?discard=true`, { answer: "deletion", method: "DELETE" }),

  listAttempts: (taskId: TaskId, signal: Signal) => request(`/api/tasks/${taskId}/attempts`, { answer: "attempts", signal }),
  createAttempt: (taskId: TaskId, body: CreateAttempt) =>
    request(`/api/tasks/${taskId}/attempts`, { answer: "attempt", method: "POST", body }),
  activateAttempt: (id: AttemptId) => withRetry(() => request(`/api/attempts/${id}/activate`, { answer: "attempt", method: "POST" })),
  updateAttempt: (id: AttemptId, body: UpdateAttempt) =>
    withRetry(() => request(`/api/attempts/${id}`, { answer: "attempt", method: "PATCH", body })),
  undoCompression: (id: AttemptId) => request(`/api/attempts/${id}/undo-compression`, { method: "POST" }),
  deleteAttempt: (id: AttemptId) => request(`/api/attempts/${id}?discard=true`, { answer: "deletion", method: "DELETE" }),
  listExecutions: (id: AttemptId, signal: Signal) => request(`/api/attempts/${id}/executions`, { answer: "executions", signal }),
  getDiff: (id: AttemptId, signal: Signal) => request(`/api/attempts/${id}/diff`, { answer: "diff", signal }),

  getConversation(query: ConversationQuery & { limit: number }, signal?: Signal) {
    const search = new URLSearchParams({ limit: String(query.limit), mergeMode: "live" });
    for (const key of ["attemptId", "before", "from", "around"] as const) if (query[key]) search.set(key, query[key]);
    return request(`/api/tasks/${query.taskId}/conversation?${search}`, { answer: "conversation", signal });
  },

  /** A task that is opened: with its attempts, and the newest messages and the executions of the active one. */
  getTaskOverview: (id: TaskId) => request(`/api/tasks/${id}/overview?mergeMode=live`, { answer: "taskOverview" }),

  /** The command carries its own id, so a retry never runs it twice. */
  execute: (command: Command & { id: string }) =>
    withRetry(() => request("/api/commands", { answer: "commandResult", method: "POST", body: command })),

  /** The request carries its own id, as a command does. */
  start: (body: StartTask) => withRetry(() => request("/api/starts", { answer: "startedTask", method: "POST", body })),

  startRace: (body: StartRace) => withRetry(() => request("/api/races", { answer: "startedRace", method: "POST", body })),

  updateQueued: (id: QueuedMessageId, message: string) =>
    withRetry(() => request(`/api/queue/${id}`, { answer: "queuedMessage", method: "PATCH", body: { message } })),
  deleteQueued: (id: QueuedMessageId) => request(`/api/queue/${id}`, { method: "DELETE" }),

  listPendingApprovals: (signal: Signal) => request("/api/approvals?status=pending", { answer: "approvals", signal }),
  listInbox: (signal: Signal) => request("/api/inbox", { answer: "inbox", signal }),
  updateInboxItem: (id: InboxItemId, body: UpdateInboxItem) =>
    withRetry(() => request(`/api/inbox/${id}`, { answer: "inboxItem", method: "PATCH", body })),
  answerApproval: (id: ApprovalId, body: AnswerApproval) => request(`/api/approvals/${id}`, { answer: "approval", method: "POST", body }),

  listAgents: (signal: Signal) => request("/api/agents", { answer: "agents", signal }),
  signIn: (body: CreateSession) => withRetry(() => request("/api/sessions", { answer: "session", method: "POST", body })),
  signOut: (body: Logout) => request("/api/logout", { method: "POST", body }),
};
