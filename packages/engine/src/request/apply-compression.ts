import type { CompressionSummary, MessageBody, MessageEntity } from "@skein/contracts";

/**
 * The messages that the summary stands for give way to one message at the place of `startMessageId`. Where that message is
 * gone it stands at the first one that was compressed, and where all of them are gone, at the front.
 */
export function applyCompression(messages: readonly MessageEntity[], summary: CompressionSummary | null): MessageBody[] {
  if (summary === null) return messages.map((message) => message.body);
  const compressed = new Set(summary.messageIds);
  const start = messages.findIndex((message) => message.id === summary.startMessageId);
  const place =
    start >= 0
      ? start
      : Math.max(
          0,
          messages.findIndex((message) => compressed.has(message.id)),
        );
  const keep = (part: readonly MessageEntity[]) => part.filter((message) => !compressed.has(message.id)).map((message) => message.body);
  return [...keep(messages.slice(0, place)), toSummaryMessage(summary), ...keep(messages.slice(place))];
}

function toSummaryMessage({ summary }: CompressionSummary): MessageBody {
  return { role: "system", content: `[Previous conversation summary]\n\n${summary}` };
}
