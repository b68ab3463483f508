import type { TokenCounter } from "../tokens/token-counter.ts";
import { type CompressionInput, measureRequest } from "./compression-input.ts";
import type { CompressionSettings } from "./compression-settings.ts";

export type CompressionDecision = {
  tokens: number;
  messageCount: number;
  /** What the messages may take: the window's part of them, less what is reserved. */
  budget: number;
} & ({ needed: false } | { needed: true; reason: "message-count" | "token-ratio" });

/** `reservedTokens` is what else has to fit into the window: system prompt, tool definitions, the answer. */
export function decideCompression({
  counter,
  window,
  settings,
  reservedTokens = 0,
  ...input
}: CompressionInput & {
  counter: TokenCounter;
  window: number;
  settings: Pick<CompressionSettings, "maxMessages" | "maxRatio">;
  reservedTokens?: number;
}): CompressionDecision {
  const budget = Math.max(0, Math.floor(window * settings.maxRatio) - reservedTokens);
  const measured = { ...measureRequest(input, counter), budget };
  if (measured.tokens > budget) return { ...measured, needed: true, reason: "token-ratio" };
  if (settings.maxMessages !== undefined && measured.messageCount > settings.maxMessages) {
    return { ...measured, needed: true, reason: "message-count" };
  }
  return { ...measured, needed: false };
}
