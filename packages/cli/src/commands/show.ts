import {
  type ConversationMessage,
  type ConversationState,
  conversationPageSchema,
  type QueuedMessage,
  type QueuePause,
  taskSchema,
} from "@skein/contracts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatConversation } from "../format/conversation-text.ts";
import { parseIdPrefix, type ResolvedId, resolveId } from "../ids/resolve-id.ts";
import { findShortId } from "../ids/short-id.ts";
import { choosePaint } from "../terminal/style.ts";
import { toRevealedLine } from "../terminal/terminal-text.ts";

/** `skein show`: a conversation as text. */
export async function show(id: string, options: { home?: string }): Promise<number> {
  const prefix = parseIdPrefix(id);
  await using connection = await connect(options);
  const { client } = connection;
  const { taskId, attemptId } = await resolveId(client, prefix);
  const task = await client.get(`/api/tasks/${taskId}`, taskSchema);
  const { messages, queue, queuePause } = await readConversation(client, { taskId, attemptId });
  const paint = choosePaint(process.stdout, process.env);
  console.log(paint("bold", toRevealedLine(task.title)));
  console.log(messages.length === 0 ? "\nNo messages yet." : `\n${formatConversation(messages, paint)}`);
  if (queue.length > 0) console.log(`\n${formatQueue(queue, queuePause, await findShortId(client, attemptId ?? taskId))}`);
  return exitCode.success;
}

function formatQueue(queue: readonly QueuedMessage[], pause: QueuePause | null, id: string): string {
  const lines = queue.map(({ message, by }) => `  > ${toRevealedLine(message)}${by === undefined ? "" : ` (${toRevealedLine(by.name)})`}`);
  return pause === null
    ? ["Queued:", ...lines].join("\n")
    : ["Queue paused. These messages have not been sent:", ...lines, `Continue: skein resume ${id}`].join("\n");
}

const pageSize = 200;

/** All messages, oldest first; pages come newest first. */
async function readConversation(client: ApiClient, { taskId, attemptId }: ResolvedId): Promise<ConversationState> {
  let messages: ConversationMessage[] = [];
  for (;;) {
    const query = new URLSearchParams({ limit: String(pageSize), mergeMode: "live" });
    if (attemptId !== null) query.set("attemptId", attemptId);
    const oldest = messages[0];
    if (oldest !== undefined) query.set("before", oldest.id);
    const page = await client.get(`/api/tasks/${taskId}/conversation?${query}`, conversationPageSchema);
    messages = [...page.messages, ...messages];
    if (!page.hasMore || page.messages.length === 0) return { ...page, messages };
  }
}
