import { compressRange, type RequestMessage, type SummaryPlace } from "./apply-compression.ts";
import { dropInvalidMessages } from "./drop-invalid-messages.ts";
import { type HistoryRepair, repairHistory } from "./repair-history.ts";
import { validateMessages } from "./validate-messages.ts";

export interface Range {
  from: number;
  to: number;
}

/** One part of a history after the steps, but for the system prompts, which belong to no part. */
export interface PreparedRange extends HistoryRepair {
  compressedCount: number;
  validCount: number;
  /** Its first messages are results of what stands before it, once the messages between them were dropped. */
  beginsWithResult: boolean;
}

export function prepareRange(
  messages: readonly RequestMessage[],
  { place, range, taken }: { place: SummaryPlace | null; range: Range; taken: Set<string> },
): PreparedRange {
  const compressed = compressRange(messages, place, range);
  const valid = dropInvalidMessages(compressed);
  const repair = repairHistory(valid, taken);
  // Looking for what to repair is validation, too: only what was repaired must be looked at again.
  if (repair.messages !== valid && repair.messages.length > 0) validateMessages(repair.messages);
  return { ...repair, compressedCount: compressed.length, validCount: valid.length, beginsWithResult: valid[0]?.role === "tool" };
}
