import type {
  AgentList,
  AnswerApproval,
  Approval,
  ApprovalId,
  Attempt,
  AttemptDiff,
  AttemptId,
  Command,
  CommandResult,
  ConversationPage,
  CreateAttempt,
  CreateProject,
  CreateSession,
  CreateTask,
  DeletionResult,
  Execution,
  ExecutionId,
  GrantId,
  InboxItem,
  ListedGrant,
  Logout,
  McpServerInfo,
  McpServerList,
  Project,
  ProjectId,
  QueuedMessage,
  QueuedMessageId,
  Session,
  StartedTask,
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
import type { KnownTask } from "../live/task-activity.ts";
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
  listProjects: (signal: Signal) => request<Project[]>("/api/projects", { signal }),
  createProject: (body: CreateProject) => request<Project>("/api/projects", { method: "POST", body }),
  updateProject: (id: ProjectId, body: UpdateProject) =>
    withRetry(() => request<Project>(`/api/projects/${id}`, { method: "PATCH", body })),
  // the person was asked before: uncommitted changes go with it
  deleteProject: (id: ProjectId) => request<DeletionResult>(`/api/projects/${id}?discard=true`, { method: "DELETE" }),

  listGrants: (id: ProjectId, signal: Signal) => request<ListedGrant[]>(`/api/projects/${id}/permission-rules`, { signal }),
  deleteGrant: (id: GrantId) => request<void>(`/api/permission-rules/${id}`, { method: "DELETE" }),
  listMcpServers: (id: ProjectId, attemptId: AttemptId | undefined, signal: Signal) =>
    request<McpServerList>(`/api/projects/${id}/mcp-servers${toPlaceQuery(attemptId)}`, { signal }),
  /** The hash is of what was shown: a server that changed meanwhile is not trusted by it. */
  trustMcpServer: (id: ProjectId, name: string, body: TrustMcpServer) =>
    request<McpServerInfo>(`/api/projects/${id}/mcp-servers/${encodeURIComponent(name)}/trust`, { method: "POST", body }),
  revokeMcpServer: (id: ProjectId, name: string) =>
    request<void>(`/api/projects/${id}/mcp-servers/${encodeURIComponent(name)}/trust`, { method: "DELETE" }),

  /** In their order: the first ones, or those after a task; of all columns or of one. */
  listTasks: ({ projectId, status, after, limit }: TaskPageQuery, signal: Signal) => {
    const column = status === undefined ? "" : `&status=${status}`;
    const place = after === undefined ? "" : `&after=${encodeURIComponent(`${after.position},${after.createdAt},${after.id}`)}`;
    return request<KnownTask[]>(`/api/tasks?projectId=${projectId}&descriptions=short&limit=${limit}${column}${place}`, { signal });
  },
  listArchivedTasks: (projectId: ProjectId, signal: Signal) =>
    request<KnownTask[]>(`/api/tasks?projectId=${projectId}&descriptions=short&archived=true`, { signal }),
  updateTasks: (body: UpdateTasks) => withRetry(() => request<Task[]>("/api/tasks", { method: "PATCH", body })),
  getTask: (id: TaskId, signal: Signal) => request<KnownTask>(`/api/tasks/${id}`, { signal }),
  createTask: (body: CreateTask) => request<Task>("/api/tasks", { method: "POST", body }),
  updateTask: (id: TaskId, body: UpdateTask) => withRetry(() => request<Task>(`/api/tasks/${id}`, { method: "PATCH", body })),
  deleteTask: (id: TaskId) => request<DeletionResult>(`/api/tasks/${id}?discard=true`, { method: "DELETE" }),

  listAttempts: (taskId: TaskId, signal: Signal) => request<Attempt[]>(`/api/tasks/${taskId}/attempts`, { signal }),
  createAttempt: (taskId: TaskId, body: CreateAttempt) => request<Attempt>(`/api/tasks/${taskId}/attempts`, { method: "POST", body }),
  activateAttempt: (id: AttemptId) => withRetry(() => request<Attempt>(`/api/attempts/${id}/activate`, { method: "POST" })),
  updateAttempt: (id: AttemptId, body: UpdateAttempt) =>
    withRetry(() => request<Attempt>(`/api/attempts/${id}`, { method: "PATCH", body })),
  undoCompression: (id: AttemptId) => request<void>(`/api/attempts/${id}/undo-compression`, { method: "POST" }),
  deleteAttempt: (id: AttemptId) => request<DeletionResult>(`/api/attempts/${id}?discard=true`, { method: "DELETE" }),
  listExecutions: (id: AttemptId, signal: Signal) => request<Execution[]>(`/api/attempts/${id}/executions`, { signal }),
  getDiff: (id: AttemptId, signal: Signal) => request<AttemptDiff>(`/api/attempts/${id}/diff`, { signal }),

  getConversation(query: ConversationQuery & { limit: number }, signal?: Signal) {
    const search = new URLSearchParams({ limit: String(query.limit), mergeMode: "live" });
    for (const key of ["attemptId", "before", "from", "around"] as const) if (query[key]) search.set(key, query[key]);
    return request<ConversationPage>(`/api/tasks/${query.taskId}/conversation?${search}`, { signal });
  },

  /** The command carries its own id, so asking again never does it twice. */
  execute: (command: Command & { id: string }) =>
    withRetry(() => request<CommandResult>("/api/commands", { method: "POST", body: command })),

  /** The request carries its own id, as a command does. */
  start: (body: StartTask) => withRetry(() => request<StartedTask>("/api/starts", { method: "POST", body })),

  updateQueued: (id: QueuedMessageId, message: string) =>
    withRetry(() => request<QueuedMessage>(`/api/queue/${id}`, { method: "PATCH", body: { message } })),
  deleteQueued: (id: QueuedMessageId) => request<void>(`/api/queue/${id}`, { method: "DELETE" }),

  listPendingApprovals: (signal: Signal) => request<Approval[]>("/api/approvals?status=pending", { signal }),
  listInbox: (signal: Signal) => request<InboxItem[]>("/api/inbox", { signal }),
  updateInboxItem: (id: ExecutionId, body: UpdateInboxItem) =>
    withRetry(() => request<InboxItem>(`/api/inbox/${id}`, { method: "PATCH", body })),
  answerApproval: (id: ApprovalId, body: AnswerApproval) => request<Approval>(`/api/approvals/${id}`, { method: "POST", body }),

  listAgents: (signal: Signal) => request<AgentList>("/api/agents", { signal }),
  signIn: (body: CreateSession) => withRetry(() => request<Session>("/api/sessions", { method: "POST", body })),
  signOut: (body: Logout) => request<void>("/api/logout", { method: "POST", body }),
};
