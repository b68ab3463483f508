import type { ExecutionId, ExecutionWait, RunningExecution } from "@skein/contracts";
import type { StorageTransaction } from "@skein/engine";

/** Stores what an execution waits for, or that it waits no longer, and reports it. Undefined if it has ended. */
export async function setExecutionWait(
  tx: StorageTransaction,
  { id, wait, at }: { id: ExecutionId; wait: ExecutionWait | null; at: number },
): Promise<RunningExecution | undefined> {
  const execution = await tx.setExecutionWait({ id, wait, at });
  if (execution === undefined) return undefined;
  const { taskId, attemptId } = execution;
  await tx.appendEvent({ type: "execution:changed", taskId, attemptId, executionId: id, execution }, at);
  return execution;
}
