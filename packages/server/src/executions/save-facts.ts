import { type AgentOutput, type Approval, type Attempt, createId, type RunningExecution } from "@skein/contracts";
import type { StorageTransaction } from "@skein/engine";

/** Outputs that are more than messages: others act on them before the execution ends. */
export type Fact = Extract<AgentOutput, { type: "session" | "approval-request" }>;

/** Saving a fact twice does nothing: a log is read again after a crash. */
export async function saveFacts(
  tx: StorageTransaction,
  input: { execution: RunningExecution; attempt: Attempt; facts: readonly Fact[] },
): Promise<void> {
  for (const fact of input.facts) {
    if (fact.type === "session") await saveSession(tx, input.attempt, fact);
    else await saveApproval(tx, input.execution, fact);
  }
}

async function saveSession(tx: StorageTransaction, { id }: Attempt, fact: Extract<Fact, { type: "session" }>): Promise<void> {
  const attempt = await tx.findAttempt({ id });
  if (attempt === undefined || attempt.sessionId === fact.sessionId) return;
  await tx.updateAttempt({ ...attempt, sessionId: fact.sessionId, updatedAt: fact.at });
  const updates = { sessionId: fact.sessionId, updatedAt: fact.at };
  await tx.appendEvent({ type: "task:attempt-updated", taskId: attempt.taskId, attemptId: id, updates }, fact.at);
}

async function saveApproval(
  tx: StorageTransaction,
  execution: RunningExecution,
  fact: Extract<Fact, { type: "approval-request" }>,
): Promise<void> {
  const { taskId, attemptId } = execution;
  const approval: Approval = {
    id: createId("apr", fact.at),
    taskId,
    attemptId,
    executionId: execution.id,
    toolUseId: fact.toolUseId,
    toolName: fact.toolName,
    input: fact.input,
    reason: fact.reason ?? null,
    requestedAt: fact.at,
    status: "pending",
  };
  if (await tx.insertApproval(approval)) await tx.appendEvent({ type: "approval:requested", taskId, attemptId, approval }, fact.at);
}
