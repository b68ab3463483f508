import type { QueuedMessage } from "@skein/contracts";
import type { StorageTransaction } from "@skein/engine";
import { getTask, missing } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import type { Services } from "./services.ts";

export function createQueueService({ storage, now }: ServiceContext): Services["queue"] {
  return {
    async list(taskId) {
      const { activeAttemptId } = await getTask(storage.read, taskId);
      return activeAttemptId === null ? [] : storage.read.listQueuedMessages({ attemptId: activeAttemptId });
    },

    update: (id, message) =>
      storage.transaction(async (tx) => {
        const before = (await tx.findQueuedMessage({ id })) ?? missing("queued message", id);
        const changed: QueuedMessage = { ...before, message };
        await tx.updateQueuedMessage(changed);
        await tellQueue(tx, changed, now());
        return changed;
      }),

    remove: (id) =>
      storage.transaction(async (tx) => {
        const before = (await tx.findQueuedMessage({ id })) ?? missing("queued message", id);
        await tx.deleteQueuedMessage({ id });
        await tellQueue(tx, before, now());
      }),
  };
}

async function tellQueue(tx: StorageTransaction, { taskId, attemptId }: QueuedMessage, at: number): Promise<void> {
  await tx.appendEvent({ type: "queue:changed", taskId, attemptId, queue: await tx.listQueuedMessages({ attemptId }) }, at);
}
