import type { CompressionSummary, MessageBody } from "@skein/contracts";
import { type AcceptedMessage, normalizeMessage } from "../legacy/normalize-message.ts";

/** A message with an identity, in any form that is accepted. */
export interface RequestMessage {
  id: string | number;
  body: AcceptedMessage;
}

/** Where a summary stands in one history, and what it stands for. */
export interface SummaryPlace {
  readonly summary: CompressionSummary;
  readonly compressed: ReadonlySet<string | number>;
  readonly message: MessageBody;
  readonly position: number;
  /** True when it stands at its own start: messages that are added at the end do not move it. */
  readonly isFixed: boolean;
}

/**
 * The messages that the summary stands for give way to one message at the place of `startMessageId`. Where that message is
 * gone it stands at the first one that was compressed, and where all of them are gone, at the front.
 */
export function applyCompression(messages: readonly RequestMessage[], summary: CompressionSummary | null): MessageBody[] {
  return compressRange(messages, findSummaryPlace(messages, summary), { from: 0, to: messages.length });
}

export function findSummaryPlace(messages: readonly RequestMessage[], summary: CompressionSummary | null): SummaryPlace | null {
  if (summary === null) return null;
  const compressed = new Set(summary.messageIds);
  const start = messages.findIndex((message) => message.id === summary.startMessageId);
  const first = start >= 0 ? start : messages.findIndex((message) => compressed.has(message.id));
  return { summary, compressed, message: toSummaryMessage(summary), position: Math.max(0, first), isFixed: start >= 0 };
}

const summaryStart = "[Previous conversation summary";

export function toSummaryMessage({ summary }: CompressionSummary): MessageBody {
  return { role: "system", content: `${summaryStart}]\n\n${summary}` };
}

/** True for the message of a built request that stands for older ones. */
export function isSummaryMessage({ role, content }: MessageBody): boolean {
  return role === "system" && content.startsWith(summaryStart);
}

/** The messages of a part of the history, up to `to`; the summary belongs to the part that begins at or before its place. */
export function compressRange(
  messages: readonly RequestMessage[],
  place: SummaryPlace | null,
  { from, to }: { from: number; to: number },
): MessageBody[] {
  const bodies: MessageBody[] = [];
  for (let i = from; i < to; i++) {
    const message = messages[i];
    if (message === undefined) continue;
    if (place !== null) {
      if (place.position === i) bodies.push(place.message);
      if (place.compressed.has(message.id)) continue;
    }
    const { body } = message;
    if (isSpoken(body)) bodies.push(body);
    else bodies.push(...normalizeMessage(body));
  }
  if (place !== null && messages.length === 0) bodies.push(place.message);
  return bodies;
}

/** Some programs store a result as an object; it is turned into text or parts. */
export function hasPlainResult(part: { result?: unknown }): boolean {
  return typeof part.result === "string" || Array.isArray(part.result);
}

/** True for most messages: those in the form that is spoken. It looks no deeper than it must, which is what takes the time. */
function isSpoken(body: AcceptedMessage): body is MessageBody {
  switch (body.role) {
    case "system":
      return true;
    case "assistant":
      return body.content !== undefined && body.content !== null;
    case "tool":
      return Array.isArray(body.content) && !("toolCallId" in body) && body.content.every(hasPlainResult);
    case "user":
      return typeof body.content === "string";
  }
}
