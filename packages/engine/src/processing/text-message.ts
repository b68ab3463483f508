import type { ConversationMessage, ExecutionId } from "@skein/contracts";
import type { TextBlock } from "./processor-state.ts";

/** The conversation message of a text or thinking block. */
export function toTextMessage(block: TextBlock, executionId: ExecutionId, { interrupted }: { interrupted?: true }): ConversationMessage {
  const base = { id: block.id, role: "assistant" as const, content: block.text, timestamp: block.at, revision: block.revision };
  const flags = {
    executionId,
    ...(block.streaming ? { streaming: true } : {}),
    ...(interrupted ? { interrupted } : {}),
    ...(block.parentToolUseId === undefined ? {} : { parentToolUseId: block.parentToolUseId }),
  };
  if (block.kind === "thinking") return { ...base, messageType: "thinking", metadata: flags };
  return {
    ...base,
    messageType: "text",
    metadata: {
      ...flags,
      ...(block.model === undefined ? {} : { model: block.model }),
      ...(block.usage === undefined ? {} : { usage: block.usage }),
    },
  };
}
