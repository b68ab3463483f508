import type { AttemptId, QueuePause, TaskId } from "@skein/contracts";
import type { StorageTransaction } from "@skein/engine";
import { type PreparedExecution, prepareExecution } from "./prepare-execution.ts";

interface QueueOwner {
  taskId: TaskId;
  attemptId: AttemptId;
}

/** Emits an event with the attempt's current queue. */
export async function reportQueue(tx: StorageTransaction, { taskId, attemptId }: QueueOwner, at: number): Promise<void> {
  await tx.appendEvent({ type: "queue:changed", taskId, attemptId, ...(await tx.getQueue({ attemptId })) }, at);
}

/**
 * Pauses the queue until the user resumes it (E4). Called when an execution has ended: steering messages that the agent has not taken
 * become ordinary ones. Does nothing if the queue is empty.
 */
export async function pauseQueue(tx: StorageTransaction, owner: QueueOwner, pause: QueuePause): Promise<void> {
  const { attemptId } = owner;
  const waiting = await tx.listQueuedMessages({ attemptId });
  if (waiting.length === 0) return;
  for (const message of waiting) if (message.steer) await tx.updateQueuedMessage({ ...message, steer: false });
  await tx.setQueuePause({ attemptId, pause });
  await reportQueue(tx, owner, pause.pausedAt);
}

/** After a successful execution: prepares the next one from the first queued message. A paused queue stays paused. */
export async function startNext(tx: StorageTransaction, owner: QueueOwner, at: number): Promise<PreparedExecution | undefined> {
  const { attemptId } = owner;
  const { queue, queuePause } = await tx.getQueue({ attemptId });
  if (queuePause !== null) {
    await pauseQueue(tx, owner, queuePause);
    return undefined;
  }
  const [next] = queue;
  const attempt = await tx.findAttempt({ id: attemptId });
  const task = await tx.findTask({ id: owner.taskId });
  if (next === undefined || attempt === undefined || task === undefined) return undefined;
  await tx.deleteQueuedMessage({ id: next.id });
  await reportQueue(tx, owner, at);
  const prepared = await prepareExecution(tx, { task, attempt, message: next.message, images: next.images, at, by: next.by });
  await tx.moveAgentStart({ from: next.id, to: prepared.execution.id });
  return prepared;
}
