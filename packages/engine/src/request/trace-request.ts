import type { CompressionSummary, MessageBody } from "@skein/contracts";
import { applyCompression, findSummaryPosition, type RequestMessage } from "./apply-compression.ts";
import { dropInvalidMessages } from "./drop-invalid-messages.ts";
import { fixToolPairs } from "./fix-tool-pairs.ts";
import type { PairRepair } from "./pair-repair.ts";

/** What building a request does to one message of the history. */
export type MessageChange =
  /** The summary replaces it. */
  | { type: "summarized" }
  /** An assistant message without content. */
  | { type: "dropped-invalid" }
  | PairRepair;

/** What building a request does to a history. */
export interface RequestTrace {
  /** By message id; messages that are sent unchanged have no entry. */
  changes: ReadonlyMap<string | number, readonly MessageChange[]>;
  /** Index of the message before which the summary is placed; null without a summary. */
  summaryPosition: number | null;
}

/**
 * Explains, message by message, what the steps of `RequestMessageBuilder` do to a history. A repair is reported for the
 * message that it changes: an added result or a renamed call for the assistant message, everything else for the tool message.
 */
export function traceRequest(messages: readonly RequestMessage[], summary: CompressionSummary | null): RequestTrace {
  const changes = new Map<string | number, MessageChange[]>();
  const origins = new Map<MessageBody, string | number>();
  const addChange = (id: string | number | undefined, change: MessageChange): void => {
    if (id === undefined) return;
    const known = changes.get(id);
    if (known === undefined) changes.set(id, [change]);
    else known.push(change);
  };

  const covered = new Set(summary?.messageIds);
  const compressed = messages.flatMap((message) => {
    if (covered.has(message.id)) {
      addChange(message.id, { type: "summarized" });
      return [];
    }
    const bodies = applyCompression([message], null);
    for (const body of bodies) origins.set(body, message.id);
    return bodies;
  });
  const kept = dropInvalidMessages(compressed);
  const valid = new Set(kept);
  for (const body of compressed) if (!valid.has(body)) addChange(origins.get(body), { type: "dropped-invalid" });
  fixToolPairs(kept, { onRepair: (repair, message) => addChange(origins.get(message), repair) });
  return { changes, summaryPosition: summary === null ? null : findSummaryPosition(messages, summary) };
}
