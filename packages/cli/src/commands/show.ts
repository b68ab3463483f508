import {
  type AttemptId,
  attemptIdSchema,
  attemptSchema,
  type ConversationMessage,
  conversationPageSchema,
  type TaskId,
  taskIdSchema,
  taskSchema,
} from "@skein/contracts";
import { CliError } from "../cli-error.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatConversation } from "../format/conversation-text.ts";
import { choosePaint } from "../terminal/style.ts";
import { toRevealedLine } from "../terminal/terminal-text.ts";

/** `skein show`: a conversation as text. */
export async function show(id: string, options: { home?: string }): Promise<number> {
  await using connection = await connect(options);
  const { client } = connection;
  const { taskId, attemptId } = await findConversation(client, id);
  const task = await client.get(`/api/tasks/${taskId}`, taskSchema);
  const messages = await readConversation(client, { taskId, attemptId });
  const paint = choosePaint(process.stdout, process.env);
  console.log(paint("bold", toRevealedLine(task.title)));
  console.log(messages.length === 0 ? "\nNothing has been said yet." : `\n${formatConversation(messages, paint)}`);
  return exitCode.success;
}

async function findConversation(client: ApiClient, id: string): Promise<{ taskId: TaskId; attemptId?: AttemptId | undefined }> {
  const task = taskIdSchema.safeParse(id);
  if (task.success) return { taskId: task.data };
  const attempt = attemptIdSchema.safeParse(id);
  if (!attempt.success) throw new CliError(`${id} is not an id of a task (tsk_…) or an attempt (att_…).`, { exitCode: exitCode.usage });
  const { taskId } = await client.get(`/api/attempts/${attempt.data}`, attemptSchema);
  return { taskId, attemptId: attempt.data };
}

const pageSize = 200;

/** Pages come newest first; the whole is given oldest first. */
async function readConversation(
  client: ApiClient,
  { taskId, attemptId }: { taskId: TaskId; attemptId?: AttemptId | undefined },
): Promise<ConversationMessage[]> {
  let messages: ConversationMessage[] = [];
  for (;;) {
    const query = new URLSearchParams({ limit: String(pageSize), mergeMode: "live" });
    if (attemptId !== undefined) query.set("attemptId", attemptId);
    const oldest = messages[0];
    if (oldest !== undefined) query.set("before", oldest.id);
    const page = await client.get(`/api/tasks/${taskId}/conversation?${query}`, conversationPageSchema);
    messages = [...page.messages, ...messages];
    if (!page.hasMore || page.messages.length === 0) return messages;
  }
}
