import type { Attempt, CommandResult, ConversationPage, CreateAttempt, Execution, Project, StoredMessage, Task } from "@skein/contracts";

export class ApiError extends Error {
  readonly status: number;
  readonly problem: { code: string; detail: string };
  constructor(status: number, problem: { code: string; detail: string }) {
    super(`${status} ${problem.code}: ${problem.detail}`);
    this.status = status;
    this.problem = problem;
  }
}

export type ApiClient = ReturnType<typeof createApiClient>;

/** Uses the HTTP API as a program does: with the bearer token. */
export function createApiClient({ url, token }: { url: string; token: string }) {
  const headers = { authorization: `Bearer ${token}` };

  async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { ...headers, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new ApiError(response.status, JSON.parse(text));
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }

  return {
    url,
    headers,
    request,
    createProject: (path: string) => request<Project>("POST", "/api/projects", { path }),
    createTask: (projectId: string, title = "Try it") => request<Task>("POST", "/api/tasks", { projectId, title }),
    getTask: (id: string) => request<Task>("GET", `/api/tasks/${id}`),
    createAttempt: (taskId: string, input: Partial<CreateAttempt> = {}) =>
      request<Attempt>("POST", `/api/tasks/${taskId}/attempts`, {
        agent: "native",
        model: "scripted/demo",
        permissionMode: "full",
        ...input,
      }),
    send: (taskId: string, message: string, id?: string) =>
      request<CommandResult>("POST", "/api/commands", { ...(id === undefined ? {} : { id }), type: "SEND_MESSAGE", taskId, message }),
    stop: (taskId: string) => request<CommandResult>("POST", "/api/commands", { type: "STOP_EXECUTION", taskId }),
    conversation: (taskId: string, query = "") => request<ConversationPage>("GET", `/api/tasks/${taskId}/conversation?limit=1000${query}`),
    executions: (attemptId: string) => request<Execution[]>("GET", `/api/attempts/${attemptId}/executions`),
    messages: (attemptId: string) => request<StoredMessage[]>("GET", `/api/attempts/${attemptId}/messages`),
  };
}
