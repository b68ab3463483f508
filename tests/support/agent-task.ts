import { setTimeout } from "node:timers/promises";
import type { AnswerApproval, Approval, Attempt, ConversationMessage, CreateAttempt, Execution } from "@skein/contracts";
import { startConfiguredServer } from "./configured-server.ts";
import { waitForEnd } from "./execution-end.ts";
import type { RealServer } from "./real-server.ts";
import { newRepository } from "./repository.ts";

const wait = { timeout: 200_000, interval: 200 };

/** A task with an attempt of an agent, on its own server, and the actions of a user. */
export interface AgentTask {
  server: RealServer;
  taskId: string;
  attempt: Attempt;
  repository: string;
  /** Resolves with the execution's id. */
  send(message: string, images?: readonly { mediaType: string; data: string }[]): Promise<string>;
  stop(): Promise<unknown>;
  ended(executionId: string): Promise<Execution>;
  /** Sends, and waits for the end. */
  run(message: string): Promise<Execution>;
  conversation(): Promise<ConversationMessage[]>;
  /** The next pending question. Fails with the conversation as soon as the agent has ended without one. */
  pendingApproval(): Promise<Approval>;
  answer(approval: Approval, answer: AnswerApproval): Promise<unknown>;
}

export async function openAgentTask(options: {
  config?: object;
  environment?: Record<string, string>;
  repository?: string;
  attempt: Partial<CreateAttempt> & { agent: string };
}): Promise<AgentTask> {
  const server = await startConfiguredServer(options.config ?? {}, options.environment);
  const repository = options.repository ?? newRepository();
  const project = await server.api.createProject(repository);
  const { id: taskId } = await server.api.createTask(project.id);
  const attempt = await server.api.request<Attempt>("POST", `/api/tasks/${taskId}/attempts`, {
    permissionMode: "full",
    ...options.attempt,
  });

  // `server.api` is read each time: a restart may have changed it
  const task: AgentTask = {
    server,
    taskId,
    attempt,
    repository,
    async send(message, images = []) {
      const command = { type: "SEND_MESSAGE", taskId, message, images: images.map((image) => ({ type: "image", ...image })) };
      const { executionId = "" } = await server.api.request<{ executionId?: string }>("POST", "/api/commands", command);
      return executionId;
    },
    stop: () => server.api.stop(taskId),
    ended: (executionId) => waitForEnd(server, attempt.id, executionId),
    run: async (message) => task.ended(await task.send(message)),
    conversation: async () => (await server.api.conversation(taskId, `&attemptId=${attempt.id}`)).messages,
    async pendingApproval() {
      for (const deadline = Date.now() + wait.timeout; ; await setTimeout(wait.interval)) {
        const approvals = await server.api.request<Approval[]>("GET", "/api/approvals?status=pending");
        const found = approvals.find(({ attemptId }) => attemptId === attempt.id);
        if (found !== undefined) return found;
        const isRunning = (await server.api.executions(attempt.id)).some(({ status }) => status === "running");
        if (isRunning && Date.now() < deadline) continue;
        const story = (await task.conversation()).map((message) => JSON.stringify(message)).join("\n");
        throw new Error(`${isRunning ? "No question yet." : "It ended without a question."} The conversation so far:\n${story}`);
      }
    },
    answer: ({ id }, answer) => server.api.request("POST", `/api/approvals/${id}`, answer),
  };
  return task;
}
