import { type Attempt, type ConversationMessage, createId, type ImagePart, type RunningExecution, type Task } from "@skein/contracts";
import { estimateMessageTokens, type StorageTransaction } from "@skein/engine";
import { changeTaskStatus } from "../services/change-task-status.ts";
import { clearInbox } from "../services/inbox.ts";

export interface PreparedExecution {
  execution: RunningExecution;
  attempt: Attempt;
  message: string;
  images: readonly ImagePart[];
}

/** The first phase of a turn (P1): the person's message and the execution are saved, before anything runs. */
export async function prepareExecution(
  tx: StorageTransaction,
  input: { task: Task; attempt: Attempt; message: string; images: readonly ImagePart[]; at: number },
): Promise<PreparedExecution> {
  const { task, attempt, message, images, at } = input;
  const earlier = await tx.listExecutions({ attemptId: attempt.id });
  const execution: RunningExecution = {
    id: createId("exe", at),
    taskId: task.id,
    attemptId: attempt.id,
    number: (earlier.at(-1)?.number ?? 0) + 1,
    startedAt: at,
    status: "running",
  };
  const ids = { taskId: task.id, attemptId: attempt.id, executionId: execution.id };
  await tx.insertExecution(execution);
  await tx.appendEvent({ type: "execution:started", ...ids, execution }, at);
  await clearInbox(tx, { attemptId: attempt.id }, at);

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
      ...(images.length === 0 ? {} : { images: images.map(({ mediaType, data }) => ({ mediaType, data })) }),
    },
  };
  await tx.putConversationMessages({ attemptId: attempt.id, executionId: execution.id, messages: [shown] });
  await tx.appendEvent({ type: "message:added", taskId: task.id, attemptId: attempt.id, message: shown }, at);
  if (task.status !== "in-progress") await changeTaskStatus(tx, { task, status: "in-progress", at });
  return { execution, attempt, message, images };
}
