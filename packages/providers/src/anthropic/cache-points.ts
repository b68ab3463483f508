import type { CacheControlEphemeral, ContentBlockParam, TextBlockParam, Tool } from "@anthropic-ai/sdk/resources/messages";
import type { AnthropicMessage } from "@skein/engine/formats";

const ephemeral: CacheControlEphemeral = { type: "ephemeral" };

/**
 * Four cache points, the maximum: the end of the tools, of the system prompt, and of the last two user messages. A point is not part of
 * the cached content: the provider hashes the blocks before it, so points may move while the bytes stay the same. The last one writes
 * what this request adds. The one before it is where the previous request's last one was, so that a step with more blocks than the
 * provider looks back (20) still hits the cache.
 */
export function markCachePoints({
  tools,
  system,
  messages,
}: {
  tools: Tool[];
  system: TextBlockParam[];
  messages: AnthropicMessage[];
}): void {
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
