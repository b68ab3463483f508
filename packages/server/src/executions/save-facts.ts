import { isDeepStrictEqual } from "node:util";
import {
  type AgentOutput,
  type Approval,
  type Attempt,
  createId,
  type JsonValue,
  type MessageId,
  messageIdSchema,
  type QueuedMessageId,
  type RunningExecution,
} from "@skein/contracts";
import { type AgentAdapter, formatText, presentTool, type StorageTransaction, stringField } from "@skein/engine";
import type { ExecutionContext } from "./execution-context.ts";
import { reportQueue } from "./message-queue.ts";

/** Outputs that others act on before the execution ends. */
type FactOutput = Extract<
  AgentOutput,
  { type: "session" | "session-options" | "approval-request" | "approval-withdrawn" | "user-message" | "compression" }
>;

/** `tool-ran`: a tool with an approval has a result or printed something. */
export type Fact = FactOutput | { type: "tool-ran"; toolUseId: string; at: number };

const factTypes: ReadonlySet<AgentOutput["type"]> = new Set<FactOutput["type"]>([
  "session",
  "session-options",
  "approval-request",
  "approval-withdrawn",
  "user-message",
  "compression",
]);

export function isFact(output: AgentOutput): output is FactOutput {
  return factTypes.has(output.type);
}

/** By tool use: whether the file that it would write exists. */
export type Overwrites = ReadonlyMap<string, boolean>;

/**
 * Looks for the files that requested tools would write: a tool that writes a whole file either creates or replaces it, and its input
 * does not say which. Call it before the transaction, because the files may be on another machine.
 */
export async function findOverwrites(
  { host }: Pick<ExecutionContext, "host">,
  attempt: Attempt,
  facts: readonly Fact[],
): Promise<Overwrites> {
  const found = new Map<string, boolean>();
  for (const fact of facts) {
    if (host === undefined || fact.type !== "approval-request") continue;
    const path = findWrittenPath(fact);
    if (path !== undefined) found.set(fact.toolUseId, await host.workspaces.exists({ directory: attempt.directory, path }));
  }
  return found;
}

function findWrittenPath({ toolName, input }: { toolName: string; input: JsonValue }): string | undefined {
  const { summary } = presentTool({ toolName, input, output: "", isError: false, state: "running" });
  return summary.action === "write" ? stringField(input, "file_path", "filePath", "path") : undefined;
}

/** Idempotent, because a log is read again after a crash. Resolves with the approvals that were tampered with. */
export async function saveFacts(
  tx: StorageTransaction,
  input: {
    execution: RunningExecution;
    attempt: Attempt;
    adapter: Pick<AgentAdapter, "checkGrant">;
    facts: readonly Fact[];
    overwrites: Overwrites;
  },
): Promise<Approval[]> {
  const tampered: Approval[] = [];
  for (const fact of input.facts) {
    if (fact.type === "session") await saveSession(tx, input.attempt, fact);
    else if (fact.type === "session-options") await saveSessionOptions(tx, input.attempt, fact);
    else if (fact.type === "approval-request") await saveApproval(tx, input, fact);
    else if (fact.type === "tool-ran") tampered.push(...(await checkAnswered(tx, input.execution, fact)));
    else if (fact.type === "approval-withdrawn") await withdrawApproval(tx, input.execution, fact);
    else if (fact.type === "user-message") await takeFromQueue(tx, input.execution, fact);
    else await tx.saveCompression({ ...fact, attemptId: input.attempt.id });
  }
  return tampered;
}

/** The server records an answer before sending it: a tool that ran while its approval is open was allowed by something else. */
async function checkAnswered(
  tx: StorageTransaction,
  { id: executionId, taskId, attemptId }: RunningExecution,
  { toolUseId, at }: Extract<Fact, { type: "tool-ran" }>,
): Promise<Approval[]> {
  const approval = await tx.markApprovalTampered({ executionId, toolUseId, tampering: { kind: "ran-unanswered", at } });
  if (approval === undefined) return [];
  await tx.appendEvent({ type: "approval:requested", taskId, attemptId, approval }, at);
  return [approval];
}

/** The id of a steering message once the agent has taken it. Known in advance, so that it is taken once. */
export function toSteeredMessageId(id: QueuedMessageId): MessageId {
  return messageIdSchema.parse(`msg_${id.slice("que_".length)}`);
}

async function takeFromQueue(
  tx: StorageTransaction,
  execution: RunningExecution,
  fact: Extract<Fact, { type: "user-message" }>,
): Promise<void> {
  const { attemptId } = execution;
  const waiting = (await tx.listQueuedMessages({ attemptId })).find(({ id }) => toSteeredMessageId(id) === fact.messageId);
  if (waiting === undefined) return;
  await tx.deleteQueuedMessage({ id: waiting.id });
  await reportQueue(tx, execution, fact.at);
}

async function saveSession(tx: StorageTransaction, { id }: Attempt, fact: Extract<Fact, { type: "session" }>): Promise<void> {
  const attempt = await tx.findAttempt({ id });
  if (attempt === undefined || attempt.sessionId === fact.sessionId) return;
  await tx.updateAttempt({ ...attempt, sessionId: fact.sessionId, updatedAt: fact.at });
  const updates = { sessionId: fact.sessionId, updatedAt: fact.at };
  await tx.appendEvent({ type: "task:attempt-updated", taskId: attempt.taskId, attemptId: id, updates }, fact.at);
}

async function saveSessionOptions(
  tx: StorageTransaction,
  { id }: Attempt,
  fact: Extract<Fact, { type: "session-options" }>,
): Promise<void> {
  const attempt = await tx.findAttempt({ id });
  if (attempt === undefined || isDeepStrictEqual(attempt.sessionOptions, fact.options)) return;
  const updates = { sessionOptions: fact.options, updatedAt: fact.at };
  await tx.updateAttempt({ ...attempt, ...updates });
  await tx.appendEvent({ type: "task:attempt-updated", taskId: attempt.taskId, attemptId: id, updates }, fact.at);
}

async function saveApproval(
  tx: StorageTransaction,
  { execution, attempt, adapter, overwrites }: Omit<Parameters<typeof saveFacts>[1], "facts">,
  fact: Extract<Fact, { type: "approval-request" }>,
): Promise<void> {
  const { taskId, attemptId } = execution;
  const { toolName, input, grant: offered } = fact;
  const isOverwriting = overwrites.get(fact.toolUseId);
  const grant =
    offered === undefined || adapter.checkGrant === undefined
      ? offered
      : await adapter.checkGrant({ toolName, input, directory: attempt.directory, offered });
  const approval: Approval = {
    id: createId("apr", fact.at),
    taskId,
    attemptId,
    executionId: execution.id,
    toolUseId: fact.toolUseId,
    toolName,
    input,
    reason: fact.reason === undefined ? null : formatText(fact.reason),
    ...(fact.reason === undefined || typeof fact.reason === "string" ? {} : { reasonText: fact.reason }),
    ...(grant === undefined ? {} : { grant }),
    ...(fact.requestId === undefined ? {} : { requestId: fact.requestId }),
    ...(isOverwriting === undefined ? {} : { overwrites: isOverwriting }),
    requestedAt: fact.at,
    status: "pending",
  };
  if (await tx.insertApproval(approval)) await tx.appendEvent({ type: "approval:requested", taskId, attemptId, approval }, fact.at);
}

async function withdrawApproval(
  tx: StorageTransaction,
  { id: executionId, taskId, attemptId }: RunningExecution,
  { toolUseId, at }: Extract<Fact, { type: "approval-withdrawn" }>,
): Promise<void> {
  for (const approval of await tx.expireApprovals({ executionId, toolUseId, resolvedAt: at })) {
    await tx.appendEvent({ type: "approval:resolved", taskId, attemptId, approval }, at);
  }
}
