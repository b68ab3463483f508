import type { RedactedThinkingBlockParam, ThinkingBlockParam } from "@anthropic-ai/sdk/resources/messages";
import type { JsonValue, ReasoningEffort, ReasoningPart } from "@skein/contracts";
import { asText, readFields } from "../conversation/reasoning.ts";
import type { WireMessage } from "./to-anthropic-messages.ts";

/** In tokens, for models without adaptive thinking. Even the highest leaves room for a long answer. */
export const budgetOf: Readonly<Record<ReasoningEffort, number>> = { low: 4096, medium: 12_288, high: 32_768 };

/** Thinking is sent back only to the model that produced it, and only with its signature (A9). */
export function isReplayable(part: ReasoningPart, modelId: string): boolean {
  return part.model === modelId && (redactedData(part) !== undefined || (part.signature ?? "") !== "");
}

export function toThinkingBlock(part: ReasoningPart): ThinkingBlockParam | RedactedThinkingBlockParam {
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

/** Whether the assistant messages whose calls the last message answers begin with thinking; true if there are none. */
export function startsLoopWithThinking(messages: readonly WireMessage[]): boolean {
  let first: WireMessage | undefined;
  for (let at = messages.length - 1; at > 0; at -= 2) {
    if (!messages[at]?.content.some((block) => block.type === "tool_result")) break;
    first = messages[at - 1];
  }
  const type = first?.content[0]?.type;
  return type === undefined || type === "thinking" || type === "redacted_thinking";
}
