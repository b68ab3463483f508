import type { MessageEntity } from "@skein/contracts";
import { type CompressionInput, listUncompressed } from "./compression-input.ts";
import { findCutPoints } from "./find-cut-points.ts";

type EntityId = MessageEntity["id"];

/** Which messages a new summary covers, and which are kept. */
export interface CompressionPlan {
  /** Includes those of the active summary: the new one replaces it. */
  messageIds: EntityId[];
  startMessageId: EntityId;
  endMessageId: EntityId;
  /** The messages that the new summary adds to the previous one. */
  toSummarize: MessageEntity[];
  previousSummary: string | undefined;
  /** The messages that are kept. */
  kept: MessageEntity[];
}

/** The maximum that may be compressed; undefined if that is nothing. */
export function planCompression({ keepTurns, ...input }: CompressionInput & { keepTurns: number }): CompressionPlan | undefined {
  const uncompressed = listUncompressed(input);
  const cut = findCutPoints(uncompressed, { keepTurns }).at(-1);
  if (cut === undefined) return undefined;
  const toSummarize = uncompressed.slice(0, cut);
  const chosen = new Set([...(input.summary?.messageIds ?? []), ...toSummarize.map(({ id }) => id)]);
  // In history order; ids that no longer exist are kept, so that undoing finds the same summary again.
  const present = input.messages.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  const [startMessageId] = present;
  const endMessageId = present.at(-1);
  if (startMessageId === undefined || endMessageId === undefined) return undefined;
  return {
    messageIds: [...chosen],
    startMessageId,
    endMessageId,
    toSummarize,
    previousSummary: input.summary?.summary,
    kept: uncompressed.slice(cut),
  };
}
