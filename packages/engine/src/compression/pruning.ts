import type { MessageBody, MessageEntity, ToolMessage, ToolResultPart } from "@skein/contracts";

/** Tool outputs that are left out of requests. The stored messages keep them: without the pruning, requests are what they were. */
export interface Pruning {
  readonly results: readonly { readonly messageId: MessageEntity["id"]; readonly toolCallId: string }[];
}

/** The same messages give the same objects, so that a request builder recognises what did not change. */
const projections = new WeakMap<Pruning, WeakMap<MessageEntity, MessageEntity>>();

/** The input of requests: pruned outputs are replaced by a line that describes what was there, and where to find it. */
export function applyPruning(messages: readonly MessageEntity[], pruning: Pruning | null): readonly MessageEntity[] {
  if (pruning === null || pruning.results.length === 0) return messages;
  const known = projections.get(pruning) ?? new WeakMap<MessageEntity, MessageEntity>();
  projections.set(pruning, known);
  const chosen = new Map<MessageEntity["id"], Set<string>>();
  for (const { messageId, toolCallId } of pruning.results) {
    const ids = chosen.get(messageId) ?? new Set();
    chosen.set(messageId, ids.add(toolCallId));
  }
  return messages.map((message) => {
    const toolCallIds = chosen.get(message.id);
    if (toolCallIds === undefined || message.body.role !== "tool") return message;
    const pruned = known.get(message) ?? { ...message, body: pruneBody(message.body, message.id, toolCallIds) };
    known.set(message, pruned);
    return pruned;
  });
}

function pruneBody(body: ToolMessage, messageId: MessageEntity["id"], toolCallIds: ReadonlySet<string>): MessageBody {
  return { ...body, content: body.content.map((part) => (toolCallIds.has(part.toolCallId) ? pruneResult(part, messageId) : part)) };
}

/** Without its output, except for a replacement line. */
export function pruneResult(part: ToolResultPart, messageId: MessageEntity["id"]): ToolResultPart {
  return {
    ...part,
    result: `[Output of ${part.toolName || "the tool"} left out of this request: ${describe(part)}. It is kept in message ${messageId}.]`,
  };
}

function describe({ result }: ToolResultPart): string {
  if (typeof result === "string") return `${result.length} characters`;
  const length = result.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), 0);
  const images = result.filter((part) => part.type === "image").length;
  return images === 0 ? `${length} characters` : `${length} characters and ${images} ${images === 1 ? "image" : "images"}`;
}
