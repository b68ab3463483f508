import type { Violation } from "../violation.ts";
import { type AnthropicMessage, type AnthropicRequest, blocksOf } from "./request.ts";

const isThinking = (block: { type: string } | undefined) => block?.type === "thinking" || block?.type === "redacted_thinking";

/**
 * A9, as far as the request alone shows it: signatures are there, no message ends in thinking, and an open tool loop starts with thinking.
 * Only the server that issued a signature can check it.
 */
export function checkThinking(request: AnthropicRequest): Violation[] {
  return [
    ...request.messages.flatMap((message, index) => checkMessage(message, index)),
    ...checkLoopStart(request),
    ...checkBudget(request),
  ];
}

function checkBudget({ thinking, max_tokens }: AnthropicRequest): Violation[] {
  if (thinking?.type !== "enabled") return [];
  const budget = thinking.budget_tokens;
  const path = "thinking.enabled.budget_tokens";
  if (budget === undefined) return [{ rule: "shape", path, message: `${path}: Field required` }];
  if (budget < 1024) return [{ rule: "shape", path, message: `${path}: Input should be greater than or equal to 1024` }];
  if (budget < max_tokens) return [];
  return [{ rule: "shape", path: "max_tokens", message: "`max_tokens` must be greater than `thinking.budget_tokens`." }];
}

function checkMessage(message: AnthropicMessage, index: number): Violation[] {
  const blocks = blocksOf(message);
  const violations: Violation[] = blocks.flatMap((block, at): Violation[] => {
    if (block.type !== "thinking" || (block.signature ?? "") !== "") return [];
    const path = `messages.${index}.content.${at}.thinking.signature`;
    return [{ rule: "A9", path, message: `${path}: Field required` }];
  });
  if (message.role === "assistant" && isThinking(blocks.at(-1))) {
    const path = `messages.${index}`;
    violations.push({ rule: "A9", path, message: `${path}: The final block in an assistant message cannot be \`thinking\`.` });
  }
  return violations;
}

function checkLoopStart(request: AnthropicRequest): Violation[] {
  if (request.thinking?.type !== "enabled") return [];
  const start = toolLoop(request.messages)[0];
  if (start === undefined) return [];
  const first = blocksOf(request.messages[start])[0];
  if (first === undefined || isThinking(first)) return [];
  const path = `messages.${start}.content.0.type`;
  const message = `${path}: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking`;
  return [{ rule: "A9", path, message }];
}

/** The indices of the assistant messages whose tool calls the last message answers; empty when it answers none. */
export function toolLoop(messages: AnthropicMessage[]): number[] {
  const loop: number[] = [];
  for (let user = messages.length - 1; user > 0; user -= 2) {
    const answers = blocksOf(messages[user]).some((block) => block.type === "tool_result");
    if (messages[user]?.role !== "user" || messages[user - 1]?.role !== "assistant" || !answers) break;
    loop.unshift(user - 1);
  }
  return loop;
}
