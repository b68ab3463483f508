import { type AgentTranscript, type Attempt, createId, type RequestProvider, type StoredMessage } from "@skein/contracts";
import { type AgentAdapter, createConcurrencyLimit, estimateTokens, ServiceError } from "@skein/engine";
import { listSystemPrompts } from "../executions/list-system-prompts.ts";
import { findProjectOf } from "../executions/project-of.ts";
import { type History, openHistory } from "../executions/read-history.ts";
import { getAttempt } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import type { AttemptService, WrittenRequest } from "./task-services.ts";
import { WrittenJson } from "./written-json.ts";

/** Placeholder for the user's next message. */
const placeholder = "[your next message]";

/** Previews the next request of an attempt, built by the agent's own program, which sends nothing. */
export function createNextRequestService(context: ServiceContext): AttemptService["nextRequest"] {
  const { storage, supervisor, agents, host } = context;
  // each preview is a process
  const limit = createConcurrencyLimit(2);

  /** Uncommitted messages replace stored ones with the same id; new ones come last. */
  async function* withUncommitted(attempt: Attempt, slices: AsyncIterable<StoredMessage[]>): AsyncGenerator<StoredMessage[], void> {
    const uncommitted = new Map(supervisor.uncommittedMessages(attempt.id).map((message) => [message.id, message]));
    for await (const slice of slices) {
      yield slice.map((message) => {
        const newer = uncommitted.get(message.id);
        uncommitted.delete(message.id);
        return newer ?? message;
      });
    }
    yield [...uncommitted.values()];
  }

  async function listMessages(attempt: Attempt, history: History): Promise<StoredMessage[]> {
    const messages = new Map((await history.listTranscribed()).map((message) => [message.id, message]));
    for (const message of supervisor.uncommittedMessages(attempt.id)) messages.set(message.id, message);
    return [...messages.values()];
  }

  async function listMcpServerNames(attempt: Attempt): Promise<string[]> {
    const project = await findProjectOf(storage.read, attempt);
    if (project === undefined) return [];
    const { usable } = await context.mcpServers.resolve(project, attempt.directory);
    return usable.map(({ definition }) => definition.name);
  }

  async function describeTranscript(attempt: Attempt, adapter: AgentAdapter | undefined): Promise<AgentTranscript> {
    const history = await openHistory(context, attempt);
    const transcript = adapter?.toTranscript?.(await listMessages(attempt, history), history.compression) ?? null;
    return {
      type: "transcript",
      attemptId: attempt.id,
      agent: attempt.agent,
      agentName: adapter?.name ?? attempt.agent,
      transcript,
      tokens: estimateTokens(transcript ?? ""),
    };
  }

  async function describeRequest(
    attempt: Attempt,
    { provider, message }: { provider?: RequestProvider | undefined; message?: string | undefined },
    createPreview: NonNullable<AgentAdapter["createPreview"]>,
  ): Promise<WrittenRequest> {
    const executions = await storage.read.listExecutions({ attemptId: attempt.id });
    const isRunning = executions.at(-1)?.status === "running";
    const history = await openHistory(context, attempt);
    const launch = await createPreview({
      attempt,
      executionId: createId("exe"),
      message: isRunning ? null : (message ?? placeholder),
      provider,
      history: withUncommitted(attempt, history.readAll()),
      compression: history.compression,
      environment: host.environment,
      ...(attempt.hostId ? { program: await host.agents.getProgram({ agent: attempt.agent, hostId: attempt.hostId }) } : {}),
      systemPrompts: await listSystemPrompts(storage.read, attempt, context.settings.general()),
      mcpServerNames: await listMcpServerNames(attempt),
      executionFolders: await host.executions.locate({ ids: executions.toReversed().map(({ id }) => id) }),
    });
    const { preview, body } = await limit(() => host.executions.runPreview(launch));
    if (!preview.ok) throw new ServiceError("conflict", preview.problem);
    const nextMessage = isRunning ? "none" : message === undefined ? "placeholder" : "given";
    return { type: "request", attemptId: attempt.id, nextMessage, ...preview.request, body: new WrittenJson(body) };
  }

  return async (id, options) => {
    const attempt = await getAttempt(storage.read, id);
    const adapter = agents.find(attempt.agent);
    const createPreview = adapter?.createPreview?.bind(adapter);
    return createPreview === undefined ? describeTranscript(attempt, adapter) : describeRequest(attempt, options, createPreview);
  };
}
