import type { TokenCounter } from "../tokens/token-counter.ts";
import { type CompressionInput, measureRequest } from "./compression-input.ts";
import type { CompressionPolicy } from "./compression-settings.ts";

/** Whether a history should be compressed, with its token budgets. */
export type CompressionDecision = {
  tokens: number;
  messageCount: number;
  /** Target for the messages: the configured fraction of the window, minus what is reserved. */
  budget: number;
  /** Limit for the messages: the whole window, minus what is reserved. */
  limit: number;
} & ({ needed: false } | { needed: true; reason: "message-count" | "token-ratio" });

/** `reservedTokens`: what else has to fit into the window: system prompt, tool definitions, the answer. */
export function decideCompression({
  counter,
  window,
  settings,
  reservedTokens = 0,
  ...input
}: CompressionInput & {
  counter: TokenCounter;
  window: number;
  settings: Pick<CompressionPolicy, "triggerMessages" | "triggerRatio">;
  reservedTokens?: number;
}): CompressionDecision {
  const budget = Math.max(0, Math.floor(window * settings.triggerRatio) - reservedTokens);
  const limit = Math.max(0, window - reservedTokens);
  const measured = { ...measureRequest(input, counter), budget, limit };
  if (measured.tokens > budget) return { ...measured, needed: true, reason: "token-ratio" };
  if (settings.triggerMessages !== null && measured.messageCount > settings.triggerMessages) {
    return { ...measured, needed: true, reason: "message-count" };
  }
  return { ...measured, needed: false };
}
