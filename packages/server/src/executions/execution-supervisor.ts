import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type {
  AgentId,
  Approval,
  Attempt,
  AttemptId,
  ConversationMessage,
  ExecutionId,
  QueuedMessage,
  RunningExecution,
  TaskId,
} from "@skein/contracts";
import type { AgentAdapter } from "@skein/engine";
import type { McpServerRegistry } from "../mcp/create-mcp-server-registry.ts";
import type { RepositoryTrust } from "../repository/repository-trust.ts";
import { createExecutionFolder, executionFolder } from "../runner/execution-folder.ts";
import type { Delivery } from "../services/services.ts";
import { type AttachedExecution, attachExecution } from "./attached-execution.ts";
import type { ExecutionContext } from "./execution-context.ts";
import { createExecutionFollower } from "./execution-follower.ts";
import { launchAgent } from "./launch-agent.ts";
import type { PreparedExecution } from "./prepare-execution.ts";

/** Runs prepared executions and follows every running one to its end. */
export interface ExecutionSupervisor {
  /** Never rejects: an agent that cannot start is an execution that failed. */
  launch(prepared: PreparedExecution): Promise<void>;
  /** Attaches to what an earlier server left running, and settles what ended in between. */
  resume(): Promise<void>;
  stop(id: ExecutionId): void;
  /** Resolves when it has ended and is saved; at once when it is not running. */
  waitUntilSettled(id: ExecutionId): Promise<void>;
  answer(approval: Approval): void;
  /** Brings a waiting message to the agent at work. */
  steer(id: ExecutionId, waiting: QueuedMessage): void;
  /** Tells the agent at work on an attempt what it is to use and may do from now on. */
  changeSettings(attempt: Attempt): void;
  /** What is shown of the running execution of an attempt and is not committed. */
  liveMessages(attemptId: AttemptId): ConversationMessage[];
  liveDeliveries(query: { taskId?: TaskId }): Delivery[];
  /** Stops following. Agents go on in their runners. */
  close(): Promise<void>;
}

export function createExecutionSupervisor(input: {
  context: ExecutionContext;
  home: string;
  findAdapter(agent: AgentId): AgentAdapter | undefined;
  mcpServers: McpServerRegistry;
  repositoryTrust: RepositoryTrust;
}): ExecutionSupervisor {
  const { context, home, mcpServers, repositoryTrust } = input;
  const launching = new Map<ExecutionId, Promise<void>>();
  const attached = new Map<ExecutionId, AttachedExecution>();
  let closed = false;

  const folderPath = (id: ExecutionId): string => join(home, "executions", id);

  function getAdapter(agent: AgentId): AgentAdapter {
    const adapter = input.findAdapter(agent);
    if (adapter === undefined) throw new Error(`This Skein has no agent “${agent}”.`);
    return adapter;
  }

  async function attach(execution: RunningExecution, attempt: Attempt): Promise<void> {
    if (closed) return;
    const adapter = getAdapter(attempt.agent);
    const folder = executionFolder(folderPath(execution.id));
    const position = await context.storage.read.getIngestPosition({ executionId: execution.id });
    const follower = await createExecutionFollower({ context, execution, attempt, adapter, folder, position });
    const one = attachExecution({ context, execution, adapter, folder, follower });
    attached.set(execution.id, one);
    one.settled.then(
      async (next) => {
        attached.delete(execution.id);
        await follower.close();
        if (next !== undefined && !closed) await launch(next);
      },
      (error: unknown) => context.logger.error("execution could not be followed", { executionId: execution.id, error }),
    );
  }

  async function launch(prepared: PreparedExecution): Promise<void> {
    const { execution, attempt } = prepared;
    const launched = (async () => {
      await launchAgent({
        context,
        home,
        mcpServers,
        repositoryTrust,
        folderPath: folderPath(execution.id),
        adapter: getAdapter(attempt.agent),
        prepared,
      });
      await attach(execution, attempt);
    })();
    launching.set(execution.id, launched);
    await launched.finally(() => launching.delete(execution.id));
  }

  async function resumeOne(execution: RunningExecution): Promise<void> {
    const attempt = await context.storage.read.findAttempt({ id: execution.attemptId });
    if (attempt === undefined) return;
    // no claim: the last server ended between saving the message and starting the agent, so it is started now
    if (!existsSync(executionFolder(folderPath(execution.id)).claim)) await launch(await readPrepared(execution, attempt));
    else await attach(execution, attempt);
  }

  async function readPrepared(execution: RunningExecution, attempt: Attempt): Promise<PreparedExecution> {
    const messages = await context.storage.read.listMessages({ attemptId: attempt.id });
    const own = messages.find((message) => message.executionId === execution.id && message.body.role === "user")?.body;
    const parts =
      own?.role !== "user" ? [] : typeof own.content === "string" ? [{ type: "text" as const, text: own.content }] : own.content;
    return {
      execution,
      attempt,
      message: parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n"),
      images: parts.flatMap((part) => (part.type === "image" ? [part] : [])),
    };
  }

  return {
    launch,
    async resume() {
      for (const execution of await context.storage.read.listRunningExecutions()) {
        await resumeOne(execution).catch((error: unknown) =>
          context.logger.error("execution could not be resumed", { executionId: execution.id, error }),
        );
      }
      // a client that comes now must find what it was shown by the last server
      await Promise.all([...attached.values()].map((one) => one.caughtUp));
    },
    stop(id) {
      // on disk first: it counts for an agent that is just starting, and for the next server
      writeFileSync(createExecutionFolder(folderPath(id)).stopRequested, "", { mode: 0o600 });
      attached.get(id)?.stop();
    },
    async waitUntilSettled(id) {
      await launching.get(id);
      await attached.get(id)?.settled;
    },
    steer: (id, waiting) => attached.get(id)?.steer(waiting),
    answer: (approval) => attached.get(approval.executionId)?.answer(approval),
    changeSettings(attempt) {
      for (const one of attached.values()) if (one.execution.attemptId === attempt.id) one.changeSettings(attempt);
    },
    liveMessages: (attemptId) =>
      [...attached.values()].flatMap(({ execution, follower }) => (execution.attemptId === attemptId ? follower.live.messages() : [])),
    liveDeliveries: ({ taskId }) =>
      [...attached.values()].flatMap(({ execution, follower }) =>
        taskId === undefined || execution.taskId === taskId ? follower.live.deliveries() : [],
      ),
    async close() {
      closed = true;
      await Promise.all([...attached.values()].map((one) => one.detach()));
      attached.clear();
    },
  };
}
