import { open } from "node:fs/promises";
import {
  type AgentOutput,
  type Attempt,
  type ConversationMessage,
  type EndedExecution,
  type MessageId,
  messageIdSchema,
  type QueuePause,
  type RunningExecution,
  type Task,
  type Usage,
} from "@skein/contracts";
import type { StorageTransaction } from "@skein/engine";
import type { AgentExit, ExecutionFolder } from "@skein/host";
import { changeTaskStatus } from "../services/change-task-status.ts";
import { addToInbox } from "../services/inbox.ts";
import { toErrorLine } from "./error-line.ts";
import type { ExecutionContext } from "./execution-context.ts";
import { toExecutionEnd } from "./execution-end.ts";
import { pauseQueue, startNext } from "./message-queue.ts";
import type { PreparedExecution } from "./prepare-execution.ts";
import { retryUntilDone } from "./retry-until-done.ts";

/**
 * Ends an execution, whatever ended it: everything that is still unsaved, its end, and either the start of the next one when
 * a message waits or the pause of the queue (E4), in one transaction. It is retried until it succeeds; until then all of it
 * is in the log.
 */
export async function settleExecution(input: {
  context: ExecutionContext;
  execution: RunningExecution;
  attempt: Attempt;
  folder: ExecutionFolder;
  exit: AgentExit | undefined;
  /** A user has asked to stop it; also while its end cannot be saved. */
  wasStopped(): boolean;
  closing: Extract<AgentOutput, { type: "end" }> | undefined;
  /** What its answers took, for an end that does not tell. */
  spent: Usage;
  /** The last error that the conversation shows: the end does not say it again. */
  shownError: string | undefined;
  closesItself: boolean;
  /** Nothing that the agent said or did was shown. */
  isSilent: boolean;
  /** The agent had begun to work on its message. */
  hasWorked: boolean;
  /** Gets the agent's own words. */
  explainFailure(said: string): string | undefined;
  closeOpen(end: { at: number; reason: string }): void;
  /** Called after a failure: takes out of `write` what can never be written. False when there is nothing of that kind. */
  dropRefused(cause: unknown): Promise<boolean>;
  write(tx: StorageTransaction, at: number): Promise<void>;
  onSaved(): void;
}): Promise<PreparedExecution | undefined> {
  const { context, execution, exit, closing } = input;
  const endedAt = Math.max(execution.startedAt, closing?.at ?? exit?.endedAt ?? context.now());
  const end = toExecutionEnd({
    closing,
    exit,
    stopRequested: input.wasStopped(),
    closesItself: input.closesItself,
    isSilent: input.isSilent,
    hasWorked: input.hasWorked,
    lastErrorLine: exit?.exitCode || input.isSilent ? await readErrorLine(input.folder.stderr) : "",
  });
  const { status, code } = end;
  const reason = (end.said === undefined ? undefined : input.explainFailure(end.said)) ?? end.reason;
  const ended: EndedExecution = {
    ...execution,
    status,
    endedAt,
    durationMs: endedAt - execution.startedAt,
    exitCode: exit?.exitCode ?? null,
    reason,
    code,
    usage: closing?.usage ?? input.spent,
  };
  input.closeOpen({ at: endedAt, reason: reason ?? "The agent ended." });

  let failures = 0;
  const next = await retryUntilDone(
    async () => {
      for (;;) {
        try {
          return await context.storage.transaction(async (tx) => {
            if (!(await tx.endExecution(ended))) return undefined;
            await input.write(tx, endedAt);
            const task = await writeEnd(tx, ended, input.shownError);
            // a next message that builds on work that is not there would waste time and money
            const continues = status === "success" && !input.wasStopped();
            const started = continues ? await startNext(tx, execution, context.now()) : undefined;
            if (!continues) await pauseQueue(tx, execution, { reason: toPauseReason(ended), pausedAt: endedAt });
            if (started === undefined && task !== undefined) await addToInbox(tx, ended, task);
            return started;
          });
        } catch (error) {
          // what can never be saved must not keep the execution running for ever
          if (!(await input.dropRefused(error))) throw error;
        }
      }
    },
    (error) => {
      context.logger.error("execution could not be saved", { executionId: execution.id, error });
      const why = error instanceof Error ? error.message : String(error);
      tellUnsaved(input, ++failures, `The result could not be saved yet (${why}). Nothing is lost: Skein retries until it succeeds.`);
    },
  );
  if (failures > 0) tellUnsaved(input, failures + 1, "The result is saved now.");
  input.onSaved();
  return next;
}

/** An agent that had finished when the stop reached it was stopped all the same: the user wants nothing more to start. */
function toPauseReason({ status, code }: EndedExecution): QueuePause["reason"] {
  if (code === "step-limit" || code === "cost-limit") return "limit";
  return status === "failed" || status === "interrupted" ? status : "stopped";
}

/** The task as it is then; undefined when it is gone. */
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
  // what was stopped by hand is still being worked on; everything else wants a look
  if (task?.status === "in-progress" && status !== "cancelled") return changeTaskStatus(tx, { task, status: "in-review", at: endedAt });
  return task;
}

function toClosingMessage(ended: EndedExecution): ConversationMessage | undefined {
  if (ended.status === "success" || ended.reason === null) return undefined;
  const id = `msg_${ended.id.slice("exe_".length)}_end`;
  const common = { id, role: "system", content: ended.reason, timestamp: ended.endedAt, revision: 1 } as const;
  return ended.status === "failed"
    ? { ...common, messageType: "error", metadata: { executionId: ended.id, code: "execution-failed" } }
    : { ...common, messageType: "notice", metadata: { executionId: ended.id, code: ended.code ?? `execution-${ended.status}` } };
}

/** Live only: there is nowhere to store it just now. */
function tellUnsaved(input: { context: ExecutionContext; execution: RunningExecution }, revision: number, content: string): void {
  const { taskId, attemptId, id } = input.execution;
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
        content,
        timestamp: input.context.now(),
        revision,
        metadata: { executionId: id, code: "not-saved-yet" },
      },
    },
  });
}

async function readErrorLine(file: string): Promise<string> {
  const handle = await open(file, "r").catch(() => undefined);
  if (handle === undefined) return "";
  try {
    const { size } = await handle.stat();
    const bytes = Buffer.alloc(Math.min(size, 8000));
    await handle.read(bytes, 0, bytes.length, size - bytes.length);
    return toErrorLine(bytes.toString("utf8"));
  } finally {
    await handle.close();
  }
}
