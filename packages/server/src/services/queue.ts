import type { QueuedMessage, QueuedMessageId } from "@skein/contracts";
import type { StorageTransaction } from "@skein/engine";
import { getTask, missing } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import { ServiceError } from "./service-error.ts";
import type { Services } from "./services.ts";

export function createQueueService({ storage, now }: ServiceContext): Services["queue"] {
  return {
    async list(taskId) {
      const { activeAttemptId } = await getTask(storage.read, taskId);
      return activeAttemptId === null ? [] : storage.read.listQueuedMessages({ attemptId: activeAttemptId });
    },

    update: (id, message) =>
      storage.transaction(async (tx) => {
        const before = await getChangeable(tx, id);
        const changed: QueuedMessage = { ...before, message };
        await tx.updateQueuedMessage(changed);
        await tellQueue(tx, changed, now());
        return changed;
      }),

    move: (id, before) =>
      storage.transaction(async (tx) => {
        const moved = await getChangeable(tx, id);
        const other = before === null ? undefined : await getChangeable(tx, before);
        if (other !== undefined && other.attemptId !== moved.attemptId) missing("queued message", other.id);
        await tx.moveQueuedMessage({ id, before });
        await tellQueue(tx, moved, now());
        return tx.listQueuedMessages({ attemptId: moved.attemptId });
      }),

    remove: (id) =>
      storage.transaction(async (tx) => {
        const before = await getChangeable(tx, id);
        await tx.deleteQueuedMessage({ id });
        await tellQueue(tx, before, now());
      }),
  };
}

/** A message for the agent at work has been handed to it: it may have read it already. */
async function getChangeable(tx: StorageTransaction, id: QueuedMessageId): Promise<QueuedMessage> {
  const waiting = (await tx.findQueuedMessage({ id })) ?? missing("queued message", id);
  if (waiting.steer)
    throw new ServiceError("conflict", "already-handed-over", "This message is with the agent already and cannot be changed any more.");
  return waiting;
}

async function tellQueue(tx: StorageTransaction, { taskId, attemptId }: QueuedMessage, at: number): Promise<void> {
  await tx.appendEvent({ type: "queue:changed", taskId, attemptId, queue: await tx.listQueuedMessages({ attemptId }) }, at);
}
