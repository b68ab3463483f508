import type { CompressionSummary, MessageBody } from "@skein/contracts";
import { type AcceptedMessage, normalizeMessage } from "../legacy/normalize-message.ts";

/** A message of a history, in any accepted form. Ids are compared with `===`: numbers and strings differ. */
export interface RequestMessage {
  id: string | number;
  body: AcceptedMessage;
}

/**
 * Step 1: replaces the messages that the summary covers by one message, at the position of `startMessageId`. If that message is
 * gone, the summary takes the position of the first covered message; if all of them are gone, it comes first. Messages in
 * older forms are normalized.
 */
export function applyCompression(messages: readonly RequestMessage[], summary: CompressionSummary | null): MessageBody[] {
  const bodies: MessageBody[] = [];
  if (summary === null) {
    for (const message of messages) addBodies(message, bodies);
    return bodies;
  }
  const covered = new Set(summary.messageIds);
  const position = findSummaryPosition(messages, summary);
  messages.forEach((message, i) => {
    if (i === position) bodies.push(toSummaryMessage(summary));
    if (!covered.has(message.id)) addBodies(message, bodies);
  });
  return messages.length === 0 ? [toSummaryMessage(summary)] : bodies;
}

/** Index of the message before which the summary is placed. */
export function findSummaryPosition(messages: readonly RequestMessage[], { messageIds, startMessageId }: CompressionSummary): number {
  const start = messages.findIndex(({ id }) => id === startMessageId);
  if (start >= 0) return start;
  const covered = new Set(messageIds);
  return Math.max(
    0,
    messages.findIndex(({ id }) => covered.has(id)),
  );
}

const summaryStart = "[Previous conversation summary";

/** The message that replaces those that a summary covers. */
export function toSummaryMessage({ summary }: CompressionSummary): MessageBody {
  return { role: "system", content: `${summaryStart}]\n\n${summary}` };
}

/** True for the message of a built request that holds a summary. */
export function isSummaryMessage({ role, content }: MessageBody): boolean {
  return role === "system" && content.startsWith(summaryStart);
}

function addBodies({ body }: RequestMessage, bodies: MessageBody[]): void {
  if (isCurrentForm(body)) bodies.push(body);
  else bodies.push(...normalizeMessage(body));
}

/** Fast path that recognises most messages; `normalizeMessage` decides about the others. */
function isCurrentForm(body: AcceptedMessage): body is MessageBody {
  switch (body.role) {
    case "system":
      return true;
    case "assistant":
      return body.content !== undefined && body.content !== null;
    case "tool":
      return !("toolCallId" in body) && hasPlainResults(body.content);
    case "user":
      return typeof body.content === "string";
  }
}

/** Some programs store a result as an object. */
function hasPlainResults(parts: readonly { result?: unknown }[]): boolean {
  for (let i = 0; i < parts.length; i++) {
    const result = parts[i]?.result;
    if (typeof result !== "string" && !Array.isArray(result)) return false;
  }
  return true;
}
