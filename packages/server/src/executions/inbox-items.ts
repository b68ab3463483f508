import type { AttemptId, EndedExecution, InboxItem, InboxItemId, Task, TaskId } from "@skein/contracts";
import type { StorageTransaction } from "@skein/engine";

/** Adds an execution that ended by itself; not one that the user stopped, or whose task is done or archived. */
export async function addToInbox(tx: StorageTransaction, execution: EndedExecution, task: Task, at = execution.endedAt): Promise<void> {
  if (execution.status === "cancelled" || !isInboxOpenTo(task)) return;
  const { id, taskId, attemptId } = execution;
  // a recovered execution can end next to the item of a later one: settling must not fail
  await clearInbox(tx, { attemptId }, at);
  await tx.insertInboxItem({ execution, at });
  await reportItem(tx, { kind: "ended", id, taskId, attemptId, execution, clearedAt: null }, at);
}

/** Whether the task can have items: one that is done, cancelled or archived needs nobody. */
export function isInboxOpenTo({ status, archived }: Task): boolean {
  return status !== "done" && status !== "cancelled" && !archived;
}

/** By task: all items. By attempt: those of its executions. */
export async function clearInbox(
  tx: StorageTransaction,
  which: { taskId: TaskId } | { attemptId: AttemptId } | { id: InboxItemId },
  at: number,
): Promise<void> {
  for (const item of await tx.clearInboxItems({ ...which, at })) await reportItem(tx, item, at);
}

export function reportItem(tx: StorageTransaction, item: InboxItem, at: number): Promise<void> {
  return tx.appendEvent({ type: "inbox:changed", taskId: item.taskId, attemptId: item.attemptId, item }, at);
}
