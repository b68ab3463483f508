import {
  type ConversationMessage,
  type EndedExecution,
  findStorageFault,
  type MessageId,
  messageIdSchema,
  type NoticeText,
  type QueuePause,
  type RunningExecution,
  type Task,
} from "@skein/contracts";
import { formatText, type StorageReader, type StorageTransaction } from "@skein/engine";
import type { AgentExit } from "@skein/host";
import { changeTaskStatus } from "./change-task-status.ts";
import { toErrorLine } from "./error-line.ts";
import type { ExecutionContext, FollowedExecution } from "./execution-context.ts";
import { toExecutionEnd } from "./execution-end.ts";
import { addToInbox } from "./inbox-items.ts";
import { pauseQueue, startNext } from "./message-queue.ts";
import type { ObservedAgent } from "./observed-agent.ts";
import type { PreparedExecution } from "./prepare-execution.ts";
import { retryUntilDone } from "./retry-until-done.ts";

/** How an execution came to its end. */
interface Ending {
  /** Undefined if the runner is gone and no exit was recorded. */
  exit: AgentExit | undefined;
  /** Whether the user requested a stop; may become true while the end cannot be saved. */
  wasStopped(): boolean;
  observed: Readonly<ObservedAgent>;
}

/** The rest of the log, for the settling transaction. */
interface LogRest {
  closeOpen(end: { at: number; reason: string }): void;
  write(tx: StorageTransaction, at: number): Promise<void>;
  /** Called after a failure: removes from `write` what can never be written. Returns false if there is nothing to remove. */
  dropRefused(cause: unknown): Promise<boolean>;
  onSaved(): void;
}

/**
 * Ends an execution, whatever ended it. Saves everything unsaved, its end, and either the start of the next queued message or the
 * pause of the queue (E4), in one transaction. Retries until that succeeds; until then everything is in the log.
 */
export async function settleExecution(input: {
  context: ExecutionContext;
  followed: FollowedExecution;
  ending: Ending;
  log: LogRest;
}): Promise<PreparedExecution | undefined> {
  const { context, followed, ending, log } = input;
  const ended = await toEndedExecution(context, followed, ending);
  log.closeOpen({ at: ended.endedAt, reason: ended.reason ?? "The agent ended." });
  let failures = 0;
  const { hasEnded, next } = await retryUntilDone(
    () => saveEnd(input, ended),
    (error) => {
      context.logger.error("execution could not be saved", { executionId: ended.id, error });
      // another server continues it, or this one with its next lease
      if (findStorageFault(error) === "lease-lost") return;
      const why = error instanceof Error ? error.message : String(error);
      showUnsaved(input, ++failures, { code: "result-not-saved", reason: why });
    },
  );
  if (failures > 0) showUnsaved(input, failures + 1, { code: "result-saved" });
  log.onSaved();
  if (hasEnded) context.watcher?.onEnd(ended, followed.attempt);
  return next;
}

async function toEndedExecution(
  { storage, now }: ExecutionContext,
  { execution, adapter, files }: FollowedExecution,
  { exit, wasStopped, observed }: Ending,
): Promise<EndedExecution> {
  const { closing, hasSpoken, hasWorked } = observed;
  const { closesItself, mayEndSilently, reportsUsagePerMessage } = adapter.capabilities;
  const endedAt = Math.max(execution.startedAt, closing?.at ?? exit?.endedAt ?? now());
  const isSilent = mayEndSilently && !hasSpoken && !(await isSlashCommand(storage.read, execution).catch(() => true));
  const lastErrorLine = exit?.exitCode || isSilent ? toErrorLine(await files.readErrors({ id: execution.id })) : "";
  const end = toExecutionEnd({ closing, exit, stopRequested: wasStopped(), closesItself, isSilent, hasWorked, lastErrorLine });
  const text = (end.said === undefined ? undefined : adapter.explainFailure?.(end.said)) ?? end.reason;
  return {
    ...execution,
    status: end.status,
    endedAt,
    durationMs: endedAt - execution.startedAt,
    exitCode: exit?.exitCode ?? null,
    reason: text === null ? null : formatText(text),
    ...(text === null || typeof text === "string" ? {} : { reasonText: text }),
    code: end.code,
    usage: closing?.usage ?? (reportsUsagePerMessage ? observed.usage : {}),
  };
}

/** Content that can never be saved must not prevent the end: it is removed, and the rest is retried. */
async function saveEnd(input: Parameters<typeof settleExecution>[0], ended: EndedExecution): Promise<Settlement> {
  for (;;) {
    try {
      return await input.context.storage.transaction((tx) => writeSettlement(tx, input, ended));
    } catch (error) {
      if (!(await input.log.dropRefused(error))) throw error;
    }
  }
}

interface Settlement {
  /** False if it had been ended before. */
  hasEnded: boolean;
  /** The next prepared execution. */
  next: PreparedExecution | undefined;
}

/** The whole settling transaction. */
async function writeSettlement(
  tx: StorageTransaction,
  { context, ending, log }: Parameters<typeof settleExecution>[0],
  ended: EndedExecution,
): Promise<Settlement> {
  if (!(await tx.endExecution(ended))) return { hasEnded: false, next: undefined };
  await tx.deleteApiTokens({ executionId: ended.id });
  await log.write(tx, ended.endedAt);
  const task = await writeEnd(tx, ended, ending.observed.shownError);
  // a queued message that builds on missing work would waste time and money
  const continues = ended.status === "success" && !ending.wasStopped();
  const started = continues ? await startNext(tx, ended, context.now()) : undefined;
  if (!continues) await pauseQueue(tx, ended, { reason: toPauseReason(ended), pausedAt: ended.endedAt });
  if (started === undefined && task !== undefined) await addToInbox(tx, ended, task);
  return { hasEnded: true, next: started };
}

/** Commands such as /clear succeed without output. */
async function isSlashCommand(reader: StorageReader, { id: executionId }: RunningExecution): Promise<boolean> {
  const [first] = await reader.listMessagePlaces({ executionId, limit: 1 });
  const content = first && (await reader.findMessage({ id: first.id }))?.body.content;
  return typeof content === "string" && content.startsWith("/");
}

/** A stop counts even if the agent had already finished: the user wants nothing more to start. */
function toPauseReason({ status, code }: EndedExecution): QueuePause["reason"] {
  if (code === "step-limit" || code === "cost-limit") return "limit";
  return status === "failed" || status === "interrupted" ? status : "stopped";
}

/** Returns the updated task; undefined if it was deleted. */
async function writeEnd(tx: StorageTransaction, ended: EndedExecution, shownError: string | undefined): Promise<Task | undefined> {
  const { taskId, attemptId, id: executionId, status, endedAt } = ended;
  const closingMessage = ended.reason === shownError ? undefined : toClosingMessage(ended);
  if (closingMessage !== undefined) {
    await tx.putConversationMessages({ attemptId, executionId, messages: [closingMessage] });
    await tx.appendEvent({ type: "message:added", taskId, attemptId, message: closingMessage }, endedAt);
  }
  for (const approval of await tx.expireApprovals({ executionId, resolvedAt: endedAt })) {
    await tx.appendEvent({ type: "approval:resolved", taskId, attemptId, approval }, endedAt);
  }
  await tx.appendEvent({ type: "execution:completed", taskId, attemptId, executionId, status, execution: ended }, endedAt);
  const task = await tx.findTask({ id: taskId });
  // a stopped task is still in progress; every other end needs a review
  if (task?.status === "in-progress" && status !== "cancelled") return changeTaskStatus(tx, { task, status: "in-review", at: endedAt });
  return task;
}

function toClosingMessage(ended: EndedExecution): ConversationMessage | undefined {
  if (ended.status === "success" || ended.reason === null) return undefined;
  const id = `msg_${ended.id.slice("exe_".length)}_end`;
  const common = { id, role: "system", content: ended.reason, timestamp: ended.endedAt, revision: 1 } as const;
  const origin = { executionId: ended.id, ...(ended.reasonText === undefined ? {} : { text: ended.reasonText }) };
  return ended.status === "failed"
    ? { ...common, messageType: "error", metadata: { ...origin, code: "execution-failed" } }
    : { ...common, messageType: "notice", metadata: { ...origin, code: ended.code ?? `execution-${ended.status}` } };
}

/** Live only, because nothing can be stored now. */
function showUnsaved(input: { context: ExecutionContext; followed: FollowedExecution }, revision: number, text: NoticeText): void {
  const { taskId, attemptId, id } = input.followed.execution;
  const messageId: MessageId = messageIdSchema.parse(`msg_${id.slice("exe_".length)}_unsaved`);
  input.context.hub.publish({
    event: {
      type: "message:added",
      taskId,
      attemptId,
      message: {
        id: messageId,
        role: "system",
        messageType: "notice",
        content: formatText(text),
        timestamp: input.context.now(),
        revision,
        metadata: { executionId: id, code: "not-saved-yet", text },
      },
    },
  });
}
