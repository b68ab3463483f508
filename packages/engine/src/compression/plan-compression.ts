import type { MessageEntity } from "@skein/contracts";
import { type CompressionInput, listUncompressed } from "./compression-input.ts";
import { findCutPoints } from "./find-cut-points.ts";

type EntityId = MessageEntity["id"];

export interface CompressionPlan {
  /** Those of the active summary as well: the new one takes its place. */
  messageIds: EntityId[];
  startMessageId: EntityId;
  endMessageId: EntityId;
  /** What the new summary must add to the previous one. */
  toSummarize: MessageEntity[];
  previousSummary: string | undefined;
  /** What stays as it is. */
  kept: MessageEntity[];
}

/** As much as may be compressed; undefined when that is nothing. */
export function planCompression({ keepTurns, ...input }: CompressionInput & { keepTurns: number }): CompressionPlan | undefined {
  const uncompressed = listUncompressed(input);
  const cut = findCutPoints(uncompressed, { keepTurns }).at(-1);
  if (cut === undefined) return undefined;
  const toSummarize = uncompressed.slice(0, cut);
  const chosen = new Set([...(input.summary?.messageIds ?? []), ...toSummarize.map(({ id }) => id)]);
  // In the order of the history; ids that are gone stay in the list, so that undoing finds the same summary again.
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
