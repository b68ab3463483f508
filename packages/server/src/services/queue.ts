import type { QueuedMessage, QueuedMessageId } from "@skein/contracts";
import { ServiceError, type StorageTransaction } from "@skein/engine";
import { reportQueue } from "../executions/message-queue.ts";
import { getAttempt, getTask, missing } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import type { QueueService } from "./task-services.ts";

/** Reads and edits the queued messages of attempts. */
export function createQueueService({ storage, now }: ServiceContext): QueueService {
  return {
    async get(taskId) {
      const { activeAttemptId } = await getTask(storage.read, taskId);
      return activeAttemptId === null ? { queue: [], queuePause: null } : storage.read.getQueue({ attemptId: activeAttemptId });
    },

    discard: (attemptId) =>
      storage.transaction(async (tx) => {
        const { taskId } = await getAttempt(tx, attemptId);
        const waiting = await tx.listQueuedMessages({ attemptId });
        // a message that was sent to the running agent cannot be withdrawn
        const left = waiting.filter(({ steer }) => !steer);
        for (const { id } of left) await tx.deleteQueuedMessage({ id });
        if (left.length > 0) await reportQueue(tx, { taskId, attemptId }, now());
      }),

    update: (id, message) =>
      storage.transaction(async (tx) => {
        const before = await getChangeable(tx, id);
        const changed: QueuedMessage = { ...before, message };
        await tx.updateQueuedMessage(changed);
        await reportQueue(tx, changed, now());
        return changed;
      }),

    move: (id, before) =>
      storage.transaction(async (tx) => {
        const moved = await getChangeable(tx, id);
        const other = before === null ? undefined : await getChangeable(tx, before);
        if (other !== undefined && other.attemptId !== moved.attemptId) missing("queued-message", other.id);
        await tx.moveQueuedMessage({ id, before });
        await reportQueue(tx, moved, now());
        return tx.listQueuedMessages({ attemptId: moved.attemptId });
      }),

    remove: (id) =>
      storage.transaction(async (tx) => {
        const before = await getChangeable(tx, id);
        await tx.deleteQueuedMessage({ id });
        await reportQueue(tx, before, now());
      }),
  };
}

/** Rejects a message that was sent to the running agent: it may have been read. */
async function getChangeable(tx: StorageTransaction, id: QueuedMessageId): Promise<QueuedMessage> {
  const waiting = (await tx.findQueuedMessage({ id })) ?? missing("queued-message", id);
  if (waiting.steer) throw new ServiceError("conflict", { code: "already-handed-over" });
  return waiting;
}
