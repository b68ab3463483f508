import type { JsonValue, ReasoningPart } from "@skein/contracts";
import { asText, readFields } from "../conversation/reasoning.ts";
import type { AnthropicRedactedThinkingBlock, AnthropicThinkingBlock } from "./anthropic-message.ts";

/** Thinking is sent back only to the model that produced it, and only with its signature (A9). */
export function isReplayableThinking(part: ReasoningPart, modelId: string): boolean {
  return part.model === modelId && (redactedData(part) !== undefined || (part.signature ?? "") !== "");
}

export function toThinkingBlock(part: ReasoningPart): AnthropicThinkingBlock | AnthropicRedactedThinkingBlock {
  const data = redactedData(part);
  if (data !== undefined) return { type: "redacted_thinking", data };
  return { type: "thinking", thinking: part.text, signature: part.signature ?? "" };
}

/** Stored form of a redacted thinking block. */
export function toRedactedData(data: string): JsonValue {
  return { redactedThinking: data };
}

function redactedData(part: ReasoningPart): string | undefined {
  return asText(readFields(part.providerData).redactedThinking);
}
