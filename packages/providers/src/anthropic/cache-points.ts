import type { CacheControlEphemeral, ContentBlockParam, TextBlockParam, Tool } from "@anthropic-ai/sdk/resources/messages";
import type { WireMessage } from "./to-anthropic-messages.ts";

const ephemeral: CacheControlEphemeral = { type: "ephemeral" };

/**
 * Four points, the most there may be: the end of the tools, of the system prompt, and of the last two user messages.
 * A point is no part of what is cached: the provider hashes the blocks before it, so points may move while the bytes
 * stay the same. The last one writes what this request adds; the one before it stands where the previous request's last
 * one stood, so that a step with more blocks than the provider looks back over (20) still reads what is there.
 */
export function markCachePoints({ tools, system, messages }: { tools: Tool[]; system: TextBlockParam[]; messages: WireMessage[] }): void {
  const tool = tools.at(-1);
  if (tool !== undefined) tool.cache_control = ephemeral;
  const prompt = system.at(-1);
  if (prompt !== undefined) prompt.cache_control = ephemeral;
  for (const message of messages.filter(({ role }) => role === "user").slice(-2)) markLast(message.content);
}

function markLast(blocks: ContentBlockParam[]): void {
  const block = blocks.at(-1);
  if (block?.type === "text" || block?.type === "image" || block?.type === "tool_result") block.cache_control = ephemeral;
}
