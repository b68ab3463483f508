import type { CompressionSummary, MessageBody } from "@skein/contracts";
import { compressRange, findSummaryPlace, type RequestMessage } from "./apply-compression.ts";
import { dropInvalidMessages } from "./drop-invalid-messages.ts";
import { type PairRepair, repairHistory } from "./repair-history.ts";

/** What building a request does to one message of the history. */
export type MessageChange =
  /** The summary stands for it. */
  | { type: "summarized" }
  /** An assistant message that says nothing. */
  | { type: "dropped-invalid" }
  | PairRepair;

export interface RequestTrace {
  /** By message id; messages that are sent as they are have no entry. */
  changes: ReadonlyMap<string | number, readonly MessageChange[]>;
  /** Index of the message before which the summary stands; null without a summary. */
  summaryPosition: number | null;
}

/**
 * Explains, message by message, what the steps of `RequestMessageBuilder` do to a history. A repair is reported for the
 * message that it changes: a result that is added or a call that is renamed for the assistant message, everything else for
 * the tool message.
 */
export function traceRequest(messages: readonly RequestMessage[], summary: CompressionSummary | null): RequestTrace {
  const changes = new Map<string | number, MessageChange[]>();
  const origins = new Map<MessageBody, string | number>();
  const report = (id: string | number | undefined, change: MessageChange): void => {
    if (id === undefined) return;
    const known = changes.get(id);
    if (known === undefined) changes.set(id, [change]);
    else known.push(change);
  };

  const place = findSummaryPlace(messages, summary);
  const compressed: MessageBody[] = [];
  messages.forEach(({ id }, i) => {
    if (place?.compressed.has(id)) report(id, { type: "summarized" });
    for (const body of compressRange(messages, place, { from: i, to: i + 1 })) {
      if (body !== place?.message) origins.set(body, id);
      compressed.push(body);
    }
  });
  const kept = dropInvalidMessages(compressed);
  const valid = new Set(kept);
  for (const body of compressed) if (!valid.has(body)) report(origins.get(body), { type: "dropped-invalid" });
  repairHistory(kept, new Set(), (repair, message) => report(origins.get(message), repair));
  return { changes, summaryPosition: place?.position ?? null };
}
