import type { ConversationMessage, ExecutionId } from "@skein/contracts";
import type { TextBlock } from "./processor-state.ts";

type TextMetadata = Extract<ConversationMessage, { messageType: "text" }>["metadata"];

/** The conversation message of a text or thinking block. */
export function toTextMessage(block: TextBlock, executionId: ExecutionId, { interrupted }: { interrupted?: true }): ConversationMessage {
  const { id, kind, text: content, at: timestamp, revision, model, usage } = block;
  const metadata: TextMetadata = { executionId };
  if (block.streaming) metadata.streaming = true;
  if (interrupted) metadata.interrupted = interrupted;
  if (block.parentToolUseId !== undefined) metadata.parentToolUseId = block.parentToolUseId;
  if (kind === "thinking") return { id, role: "assistant", content, timestamp, revision, messageType: "thinking", metadata };
  if (model !== undefined) metadata.model = model;
  if (usage !== undefined) metadata.usage = usage;
  return { id, role: "assistant", content, timestamp, revision, messageType: "text", metadata };
}
