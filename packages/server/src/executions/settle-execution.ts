import {
  type ConversationMessage,
  type EndedExecution,
  findStorageFault,
  type MessageId,
  messageIdSchema,
  type NoticeText,
  type ProviderLimit,
  type QueuePause,
  type RunningExecution,
  type Task,
  type Usage,
} from "@skein/contracts";
import { formatText, type StorageReader, type StorageTransaction } from "@skein/engine";
import type { AgentExit } from "@skein/host";
import { changeTaskStatus } from "./change-task-status.ts";
import type { Obstacle } from "./continuations.ts";
import { toErrorLine } from "./error-line.ts";
import type { ExecutionContext, FollowedExecution } from "./execution-context.ts";
import { type ExecutionEnd, toExecutionEnd } from "./execution-end.ts";
import { addToInbox } from "./inbox-items.ts";
import { pauseQueue, startNext } from "./message-queue.ts";
import type { ObservedAgent } from "./observed-agent.ts";
import { type PreparedExecution, prepareContinuation } from "./prepare-execution.ts";
import { retryUntilDone } from "./retry-until-done.ts";
import { checkAfterExecution } from "./save-check.ts";
import { setExecutionWait } from "./set-execution-wait.ts";

/** How an execution came to its end. */
interface Ending {
  /** Undefined if the runner is gone and no exit was recorded. */
  exit: AgentExit | undefined;
  /** Whether the user requested a stop; may become true while the end cannot be saved. */
  wasStopped(): boolean;
  /** Only a user's request counts: not a stop because of a budget. */
  wasStoppedByUser(): boolean;
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
  const { ended, obstacle } = await toEndedExecution(context, followed, ending);
  log.closeOpen({ at: ended.endedAt, reason: ended.reason ?? "The agent ended." });
  let failures = 0;
  const { hasEnded, next } = await retryUntilDone(
    () => saveEnd(input, ended, obstacle),
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
  context: ExecutionContext,
  followed: FollowedExecution,
  { exit, wasStopped, wasStoppedByUser, observed }: Ending,
): Promise<{ ended: EndedExecution; obstacle: Obstacle | undefined }> {
  const { storage, now } = context;
  const { execution, adapter, files } = followed;
  const { closing, hasSpoken, hasWorked } = observed;
  const { closesItself, mayEndSilently, reportsUsagePerMessage } = adapter.capabilities;
  const endedAt = Math.max(execution.startedAt, closing?.at ?? exit?.endedAt ?? now());
  const isSilent = mayEndSilently && !hasSpoken && !(await isSlashCommand(storage.read, execution).catch(() => true));
  const lastErrorLine = exit?.exitCode || isSilent ? toErrorLine(await files.readErrors({ id: execution.id })) : "";
  const end = toExecutionEnd({ closing, exit, stopRequested: wasStopped(), closesItself, isSilent, hasWorked, lastErrorLine });
  const isUnfinished = end.status !== "success" && !wasStoppedByUser();
  const said = [end.said, observed.shownError, lastErrorLine].filter((one) => one !== undefined && one !== "").join("\n");
  const obstacle = isUnfinished ? await findObstacle(context, followed, { end, observed, said, at: now() }) : undefined;
  const explained = (end.said === undefined ? undefined : adapter.explainFailure?.(end.said)) ?? end.reason;
  const text = obstacle === undefined ? explained : toObstacleText(obstacle, adapter.name);
  const { wait: _, ...started } = execution;
  const ended: EndedExecution = {
    ...started,
    status: obstacle === undefined ? end.status : "interrupted",
    endedAt,
    durationMs: endedAt - execution.startedAt,
    exitCode: exit?.exitCode ?? null,
    reason: text === null ? null : formatText(text),
    ...(text === null || typeof text === "string" ? {} : { reasonText: text }),
    // an unanswered message is sent again by what continues it
    code: obstacle === undefined || !hasWorked ? end.code : obstacle.type === "budget" ? "budget" : "provider-limit",
    usage: closing?.usage ?? (reportsUsagePerMessage ? observed.usage : toPartial(observed.spent)),
  };
  return { ended, obstacle };
}

/** What an agent that was cut off has reported so far. */
function toPartial(spent: Usage): Usage {
  return Object.keys(spent).length === 0 ? {} : { ...spent, isPartial: true };
}

/** What stopped an execution that is neither finished nor stopped by its user. */
async function findObstacle(
  { storage, continuations }: ExecutionContext,
  { execution, attempt, adapter }: FollowedExecution,
  { end, observed, said, at }: { end: ExecutionEnd; observed: Readonly<ObservedAgent>; said: string; at: number },
): Promise<Obstacle | undefined> {
  if (continuations === undefined) return undefined;
  const stopping = (await storage.read.findSpending({ executionId: execution.id }))?.stopping;
  if (stopping) return { type: "budget", reached: stopping };
  if (end.status !== "failed") return undefined;
  const limit = observed.limit ?? (said === "" ? undefined : await findLimit(adapter, said, at));
  if (limit === undefined || !(await continuations.parks(storage.read, attempt, limit))) return undefined;
  return { type: "limit", limit };
}

/** Loaded with the first failure. The native agent reports limits as data: its words are those of a provider, and may come from a tool. */
async function findLimit({ id }: FollowedExecution["adapter"], said: string, now: number): Promise<ProviderLimit | undefined> {
  if (id === "native") return undefined;
  const { findProviderLimit } = await import("@skein/agents/provider-limit");
  return findProviderLimit(said, { now });
}

function toObstacleText(obstacle: Obstacle, agent: string): NoticeText {
  if (obstacle.type === "limit") {
    const { code: limit, resetsAt } = obstacle.limit;
    return { code: "provider-limit", agent, limit, resetsAt };
  }
  const { scope, measure, spent, limit } = obstacle.reached;
  return { code: "budget-reached", scope, measure, spent, limit };
}

/** Content that can never be saved must not prevent the end: it is removed, and the rest is retried. */
async function saveEnd(
  input: Parameters<typeof settleExecution>[0],
  ended: EndedExecution,
  obstacle: Obstacle | undefined,
): Promise<Settlement> {
  for (;;) {
    try {
      return await input.context.storage.transaction((tx) => writeSettlement(tx, input, ended, obstacle));
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
  obstacle: Obstacle | undefined,
): Promise<Settlement> {
  if (!(await tx.endExecution(ended))) return { hasEnded: false, next: undefined };
  await tx.deleteApiTokens({ executionId: ended.id });
  await log.write(tx, ended.endedAt);
  // a stop may have arrived since
  if (obstacle !== undefined && !ending.wasStoppedByUser()) {
    const continued = await continueLater(tx, { context, ended, obstacle, shownError: ending.observed.shownError });
    if (continued !== undefined) return { hasEnded: true, next: continued };
  }
  const task = await writeEnd(tx, ended, { shownError: ending.observed.shownError, isReviewed: true });
  // a queued message that builds on missing work would waste time and money
  const continues = ended.status === "success" && !ending.wasStopped();
  const started = continues ? await startNext(tx, ended, context.now()) : undefined;
  if (!continues) await pauseQueue(tx, ended, { reason: toPauseReason(ended), pausedAt: ended.endedAt });
  if (started === undefined && task !== undefined && !(await checkAfterExecution(tx, ended, context.now())))
    await addToInbox(tx, ended, task);
  return { hasEnded: true, next: started };
}

/** Undefined if its task was deleted or is over. */
async function continueLater(
  tx: StorageTransaction,
  input: { context: ExecutionContext; ended: EndedExecution; obstacle: Obstacle; shownError: string | undefined },
): Promise<PreparedExecution | undefined> {
  const { context, ended, obstacle, shownError } = input;
  const task = await tx.findTask({ id: ended.taskId });
  const attempt = await tx.findAttempt({ id: ended.attemptId });
  if (task === undefined || attempt === undefined || context.continuations === undefined || task.status !== "in-progress") return undefined;
  await writeEnd(tx, ended, { shownError, isReviewed: false });
  const at = context.now();
  const prepared = await prepareContinuation(tx, { task, attempt, ended, at });
  const wait = await context.continuations.plan(tx, { ended, attempt, obstacle, at });
  const execution = (await setExecutionWait(tx, { id: prepared.execution.id, wait, at })) ?? prepared.execution;
  await context.continuations.arrange(tx, execution);
  return { ...prepared, execution };
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
async function writeEnd(
  tx: StorageTransaction,
  ended: EndedExecution,
  { shownError, isReviewed }: { shownError: string | undefined; isReviewed: boolean },
): Promise<Task | undefined> {
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
  if (isReviewed && task?.status === "in-progress" && status !== "cancelled")
    return changeTaskStatus(tx, { task, status: "in-review", at: endedAt });
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
