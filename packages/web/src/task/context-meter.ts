import type { ConversationMessage } from "@skein/contracts";

export interface ContextMeter {
  used: number;
  window: number;
  /** 0 to 1. */
  share: number;
  /** It is time to compress. */
  isNearlyFull: boolean;
}

const nearlyFull = 0.8;

/**
 * How much of the model's window the last request took, with its answer. Null where either is unknown, and after a
 * compression until the next answer reports what is left.
 */
export function toContextMeter(messages: readonly ConversationMessage[], contextWindow: number | undefined): ContextMeter | null {
  if (contextWindow === undefined) return null;
  for (const message of messages.toReversed()) {
    if (message.messageType === "summary") return null;
    // A subagent has a window of its own.
    if (message.messageType !== "text" || message.role !== "assistant" || message.metadata?.parentToolUseId !== undefined) continue;
    const { inputTokens, outputTokens = 0 } = message.metadata?.usage ?? {};
    if (inputTokens === undefined) continue;
    const used = inputTokens + outputTokens;
    const share = Math.min(1, used / contextWindow);
    return { used, window: contextWindow, share, isNearlyFull: share > nearlyFull };
  }
  return null;
}
