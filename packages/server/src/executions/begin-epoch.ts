import { randomUUID } from "node:crypto";
import {
  type ConversationMessage,
  createId,
  type ExecutionId,
  findStorageFault,
  type NoticeText,
  type RunningExecution,
} from "@skein/contracts";
import { formatText, type Storage, type StorageTransaction } from "@skein/engine";
import { type LaunchJournal, type LaunchRecord, openLaunchJournal, readLaunches, writeLaunches } from "../data-dir/launch-journal.ts";
import { toRealHome } from "../data-dir/relocate-worktrees.ts";
import type { HostedContext } from "./execution-context.ts";
import { reportQueue } from "./message-queue.ts";
import { isWaitingForHost } from "./waiting-for-host.ts";

/**
 * Checks whether the database is the one that the last server used here, before anything is started. In an older copy (a restored
 * backup, a copied file), executions that are stored as running without a claim are never launched, and queued messages are shown in the
 * conversation instead of being sent (Q21).
 */
export async function beginEpoch(
  input: Pick<HostedContext, "storage" | "host" | "logger" | "now"> & { home: string },
): Promise<LaunchJournal> {
  const { storage, home } = input;
  const instance = await storage.read.findInstance();
  const record = readLaunches(home);
  const running = await storage.read.listRunningExecutions({ isOwn: true });
  const claimed = new Set<ExecutionId>();
  for (const { id } of running) {
    // of an execution on a host that is not connected, its host knows: it is never started twice
    const isClaimed = input.host.executions.isClaimed({ id }).catch((error: unknown) => isWaitingForHost(error) || Promise.reject(error));
    if (await isClaimed) claimed.add(id);
  }
  const isUnclaimed = ({ id }: RunningExecution) => !claimed.has(id);
  const isLatest =
    instance !== undefined &&
    record.epochs.includes(instance.epoch) &&
    !running.some((execution) => record.launched.has(execution.id) && isUnclaimed(execution)) &&
    (await knowsAll(storage, record));
  // the last server was an earlier release, which wrote no epoch
  const isUpgrade = instance === undefined && record.epochs.length === 0;
  const held = isLatest ? [] : running.filter(isUnclaimed);
  // record what must not be started before the database matches again
  const launched = new Set((isLatest ? running.filter(({ id }) => record.launched.has(id)) : held).map(({ id }) => id));
  const epoch = randomUUID();
  const next: LaunchRecord = { epochs: [epoch], launched, deleted: new Set() };
  try {
    writeLaunches(home, isLatest ? { ...record, epochs: [epoch, instance.epoch] } : next);
    await storage.transaction(async (tx) => {
      await tx.putInstance({ epoch, home: toRealHome(home) });
      if (!isLatest && !isUpgrade) for (const execution of running) await showUnsent(tx, execution, input.now());
    });
    writeLaunches(home, next);
  } catch (error) {
    // a full or read-only disk must not prevent reading; the next start decides again
    if (findStorageFault(error) === undefined) throw error;
    input.logger.warn("the start of the server could not be recorded", { error });
  }
  if (!isLatest && !isUpgrade && running.length > 0) {
    input.logger.warn("the database is an older copy: executions that it lists as running or queued are not started", {
      running: running.length,
      notStarted: held.map(({ id }) => id),
    });
  }
  return openLaunchJournal(home, launched);
}

async function knowsAll({ read }: Storage, { launched, deleted }: LaunchRecord): Promise<boolean> {
  for (const id of launched) if (!deleted.has(id) && (await read.findExecution({ id })) === undefined) return false;
  return true;
}

/**
 * Messages behind a running execution may have been sent after the copy was made. Queues of attempts without a running execution are
 * kept: they are paused, and only the user resumes them.
 */
async function showUnsent(tx: StorageTransaction, { id: executionId, taskId, attemptId }: RunningExecution, at: number): Promise<void> {
  const waiting = await tx.listQueuedMessages({ attemptId });
  if (waiting.length === 0) return;
  for (const { id, message, images } of waiting) {
    const text: NoticeText = { code: "message-not-sent", images: images.length, message };
    const shown: ConversationMessage = {
      id: createId("msg", at),
      role: "system",
      messageType: "notice",
      content: formatText(text),
      timestamp: at,
      revision: 1,
      metadata: { executionId, code: "message-not-sent", text },
    };
    await tx.putConversationMessages({ attemptId, executionId, messages: [shown] });
    await tx.appendEvent({ type: "message:added", taskId, attemptId, message: shown }, at);
    await tx.deleteQueuedMessage({ id });
  }
  await reportQueue(tx, { taskId, attemptId }, at);
}
