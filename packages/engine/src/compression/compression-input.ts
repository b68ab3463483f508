import type { CompressionSummary, MessageEntity } from "@skein/contracts";
import { toSummaryMessage } from "../request/apply-compression.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { applyPruning, type Pruning } from "./pruning.ts";

/** The parts of an attempt's next request. */
export interface CompressionInput {
  messages: readonly MessageEntity[];
  /** The active one. */
  summary: CompressionSummary | null;
  pruning: Pruning | null;
}

/** The messages that the active summary does not cover. */
export function listUncompressed({ messages, summary }: CompressionInput): readonly MessageEntity[] {
  if (summary === null) return messages;
  const compressed = new Set(summary.messageIds);
  return messages.filter(({ id }) => !compressed.has(id));
}

/** As in the request: the summary, then the messages. */
export function measureRequest(input: CompressionInput, counter: TokenCounter): { tokens: number; messageCount: number } {
  const bodies = applyPruning(listUncompressed(input), input.pruning).map(({ body }) => body);
  if (input.summary !== null) bodies.push(toSummaryMessage(input.summary));
  return { tokens: counter.countAll(bodies), messageCount: bodies.length };
}
