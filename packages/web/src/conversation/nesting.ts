import type { ConversationMessage } from "@skein/contracts";

/** Deeper ones are shown at this depth: on a narrow screen there must be room left for the text. */
const deepest = 4;

/** How deep inside subagents each message was made; 0 for the agent's own. One whose subagent is on an earlier page counts as 1. */
export function toDepths(messages: readonly ConversationMessage[]): number[] {
  const depthOfTool = new Map<string, number>();
  return messages.map((message) => {
    const parent = parentOf(message);
    const depth = parent === undefined ? 0 : Math.min(deepest, (depthOfTool.get(parent) ?? 0) + 1);
    if (message.messageType === "tool_execution") depthOfTool.set(message.metadata.toolUseId, depth);
    return depth;
  });
}

function parentOf(message: ConversationMessage): string | undefined {
  switch (message.messageType) {
    case "text":
    case "thinking":
    case "tool_execution":
      return message.metadata?.parentToolUseId;
    default:
      return undefined;
  }
}
