import {
  type AttemptId,
  type EndedExecution,
  type ExecutionId,
  type InboxItem,
  ServiceError,
  type Task,
  type TaskId,
} from "@skein/contracts";
import type { StorageTransaction } from "@skein/engine";
import { missing } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import type { Services } from "./services.ts";

export function createInboxService({ storage, now }: ServiceContext): Services["inbox"] {
  return {
    list: () => storage.read.listInboxItems(),
    update: (id, { cleared }) =>
      storage.transaction(async (tx) => {
        const item = (await tx.findInboxItem({ id })) ?? missing("inbox item", id);
        if (cleared) await clearInbox(tx, { id }, now());
        else await putBack(tx, item, now());
        return (await tx.findInboxItem({ id })) ?? missing("inbox item", id);
      }),
  };
}

async function putBack(tx: StorageTransaction, { id, attemptId }: InboxItem, at: number): Promise<void> {
  const newest = (await tx.listExecutionIds({ attemptId })).at(-1);
  if (newest !== id) {
    throw new ServiceError("conflict", "inbox-item-superseded", "The attempt has been given another message since.");
  }
  const item = await tx.reopenInboxItem({ id });
  if (item !== undefined) await tell(tx, item, at);
}

/** What ended by itself wants a look; what the user stopped, or has put aside, does not. */
export async function addToInbox(tx: StorageTransaction, execution: EndedExecution, task: Task): Promise<void> {
  const isOpen = task.status !== "done" && task.status !== "cancelled" && !task.archived;
  if (execution.status === "cancelled" || !isOpen) return;
  const at = execution.endedAt;
  const { id, taskId, attemptId } = execution;
  // an execution that was recovered from its log ends beside the item of a later one: an end must never be refused
  await clearInbox(tx, { attemptId }, at);
  await tx.insertInboxItem({ execution, at });
  await tell(tx, { id, taskId, attemptId, execution, clearedAt: null }, at);
}

export async function clearInbox(
  tx: StorageTransaction,
  which: { taskId: TaskId } | { attemptId: AttemptId } | { id: ExecutionId },
  at: number,
): Promise<void> {
  for (const item of await tx.clearInboxItems({ ...which, at })) await tell(tx, item, at);
}

function tell(tx: StorageTransaction, item: InboxItem, at: number): Promise<void> {
  return tx.appendEvent({ type: "inbox:changed", taskId: item.taskId, attemptId: item.attemptId, item }, at);
}
