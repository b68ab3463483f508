import {
  type Actor,
  type Attempt,
  type ConversationMessage,
  createId,
  type EndedExecution,
  type ImagePart,
  type MessageBody,
  type NoticeText,
  type RunningExecution,
  type StoredMessage,
  type Task,
} from "@skein/contracts";
import { estimateMessageTokens, formatText, type StorageTransaction } from "@skein/engine";
import { changeTaskStatus } from "./change-task-status.ts";
import { clearInbox } from "./inbox-items.ts";

export interface PreparedExecution {
  execution: RunningExecution;
  attempt: Attempt;
  message: string;
  images: readonly ImagePart[];
}

/** The first phase of a turn (P1): saves the user's message and the execution, before anything runs. */
export async function prepareExecution(
  tx: StorageTransaction,
  input: { task: Task; attempt: Attempt; message: string; images: readonly ImagePart[]; at: number; by?: Actor | undefined },
): Promise<PreparedExecution> {
  const { task, attempt, message, images, at, by } = input;
  const execution = await insertExecution(tx, input);
  const id = createId("msg", at);
  const content = images.length === 0 ? message : [{ type: "text" as const, text: message }, ...images];
  const body = { role: "user" as const, content };
  const tokens = estimateMessageTokens({ body });
  await tx.putMessages([{ id, attemptId: attempt.id, executionId: execution.id, position: 0, body, tokens, createdAt: at }]);
  const shown: ConversationMessage = {
    id,
    role: "user",
    messageType: "text",
    content: message,
    timestamp: at,
    revision: 1,
    metadata: {
      executionId: execution.id,
      ...(by === undefined ? {} : { by }),
      ...(images.length === 0 ? {} : { images: images.map(({ mediaType, data }) => ({ mediaType, data })) }),
    },
  };
  await showMessage(tx, execution, shown);
  await markInProgress(tx, task, at);
  return { execution, attempt, message, images };
}

const messageResent: NoticeText = { code: "message-resent" };

/**
 * Prepares another execution of an unanswered message. The message moves to it, so that the model reads it once; in the conversation
 * it keeps its position.
 */
export async function prepareRetry(
  tx: StorageTransaction,
  input: { task: Task; attempt: Attempt; sent: StoredMessage; at: number; by?: Actor | undefined },
): Promise<PreparedExecution> {
  const { task, at } = input;
  const prepared = await moveMessage(tx, input);
  const { execution } = prepared;
  await showMessage(tx, execution, {
    id: createId("msg", at),
    role: "system",
    messageType: "notice",
    content: formatText(messageResent),
    timestamp: at,
    revision: 1,
    metadata: { executionId: execution.id, code: "retried", text: messageResent },
  });
  await markInProgress(tx, task, at);
  return prepared;
}

async function moveMessage(
  tx: StorageTransaction,
  input: { task: Task; attempt: Attempt; sent: StoredMessage; at: number; by?: Actor | undefined },
): Promise<PreparedExecution> {
  const { task, sent, at, by } = input;
  const attempt = await forgetUnusedSession(tx, input.attempt, at);
  const execution = await insertExecution(tx, { task, attempt, at, by });
  await tx.putMessages([{ ...sent, executionId: execution.id, position: 0 }]);
  return { execution, attempt, ...toMessageParts(sent.body) };
}

/** What an agent is asked to do when its execution stopped before its end. */
export const continuationMessage = "Continue where you stopped.";

/** Prepares the execution that continues one which has just been stopped: with the same message, if there was no answer to it yet. */
export async function prepareContinuation(
  tx: StorageTransaction,
  { task, attempt, ended, at }: { task: Task; attempt: Attempt; ended: EndedExecution; at: number },
): Promise<PreparedExecution> {
  const [first] = await tx.listMessagePlaces({ executionId: ended.id, limit: 1 });
  const sent = first && (await tx.findMessage({ id: first.id }));
  const { by } = ended;
  const isUnanswered = ended.code === "not-answered" && sent?.body.role === "user";
  const prepared = isUnanswered
    ? await moveMessage(tx, { task, attempt, sent, at, by })
    : await prepareExecution(tx, { task, attempt, message: continuationMessage, images: [], at, by });
  // what an agent has started counts for it, however often it is continued
  const start = await tx.findAgentStart({ subject: ended.id });
  if (start !== undefined) await tx.insertAgentStart({ ...start, subject: prepared.execution.id, createdAt: at });
  return prepared;
}

/** A session without any answer may already contain the message: a new session reads it once. */
async function forgetUnusedSession(tx: StorageTransaction, attempt: Attempt, at: number): Promise<Attempt> {
  const executions = await tx.listExecutions({ attemptId: attempt.id });
  const isUnused = executions.every((one) => one.status !== "running" && one.code === "not-answered");
  if (attempt.sessionId === null || !isUnused) return attempt;
  const updates = { sessionId: null, updatedAt: at };
  await tx.updateAttempt({ ...attempt, ...updates });
  await tx.appendEvent({ type: "task:attempt-updated", taskId: attempt.taskId, attemptId: attempt.id, updates }, at);
  return { ...attempt, ...updates };
}

/** The user's text and images. */
export function toMessageParts(body: MessageBody | undefined): Pick<PreparedExecution, "message" | "images"> {
  const content = body?.role === "user" ? body.content : "";
  const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  return {
    message: parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n"),
    images: parts.flatMap((part) => (part.type === "image" ? [part] : [])),
  };
}

async function insertExecution(
  tx: StorageTransaction,
  { task, attempt, at, by }: { task: Task; attempt: Attempt; at: number; by?: Actor | undefined },
): Promise<RunningExecution> {
  const earlier = await tx.listExecutions({ attemptId: attempt.id });
  const execution: RunningExecution = {
    id: createId("exe", at),
    taskId: task.id,
    attemptId: attempt.id,
    number: (earlier.at(-1)?.number ?? 0) + 1,
    startedAt: at,
    ...(by === undefined ? {} : { by }),
    status: "running",
  };
  await tx.insertExecution(execution);
  const { id: executionId, taskId, attemptId } = execution;
  await tx.appendEvent({ type: "execution:started", taskId, attemptId, executionId, execution }, at);
  await clearInbox(tx, { attemptId }, at);
  return execution;
}

async function markInProgress(tx: StorageTransaction, task: Task, at: number): Promise<void> {
  if (task.status !== "in-progress") await changeTaskStatus(tx, { task, status: "in-progress", at });
}

async function showMessage(tx: StorageTransaction, execution: RunningExecution, message: ConversationMessage): Promise<void> {
  const { id: executionId, taskId, attemptId } = execution;
  await tx.putConversationMessages({ attemptId, executionId, messages: [message] });
  await tx.appendEvent({ type: "message:added", taskId, attemptId, message }, message.timestamp);
}
