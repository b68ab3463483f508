import type { ReasoningEffort } from "@skein/contracts";
import type { AnthropicMessage } from "@skein/engine/formats";

/** In tokens, for models without adaptive thinking. Even the highest leaves room for a long answer. */
export const budgetOf: Readonly<Record<ReasoningEffort, number>> = { low: 4096, medium: 12_288, high: 32_768 };

/** Whether the assistant messages whose calls the last message answers begin with thinking; true if there are none. */
export function startsLoopWithThinking(messages: readonly AnthropicMessage[]): boolean {
  let first: AnthropicMessage | undefined;
  for (let at = messages.length - 1; at > 0; at -= 2) {
    if (!messages[at]?.content.some((block) => block.type === "tool_result")) break;
    first = messages[at - 1];
  }
  const type = first?.content[0]?.type;
  return type === undefined || type === "thinking" || type === "redacted_thinking";
}
