import type { ImagePart, ReasoningPart, TextPart } from "@skein/contracts";
import type { AssistantTurn, Conversation, ToolStep } from "../conversation/conversation.ts";
import { toArgumentsObject } from "../conversation/tool-arguments.ts";
import { toResultParts } from "../conversation/tool-results.ts";
import type { IdMap } from "../identifiers/id-map.ts";
import type { NameMap } from "../identifiers/name-map.ts";
import type {
  AnthropicBlock,
  AnthropicImageBlock,
  AnthropicMessage,
  AnthropicTextBlock,
  AnthropicToolResultBlock,
} from "./anthropic-message.ts";
import { toThinkingBlock } from "./thinking-blocks.ts";

export interface Maps {
  ids: IdMap;
  names: NameMap;
}

/** Tool results go first in the user message after their calls, before its text (A1, A4). */
export function toAnthropicMessages(turns: Conversation["turns"], maps: Maps): AnthropicMessage[] {
  const messages: AnthropicMessage[] = [];
  for (const turn of turns) {
    if (turn.role === "user") addUserBlocks(messages, turn.parts.map(toBlock));
    else {
      messages.push({ role: "assistant", content: toAssistantBlocks(turn, maps) });
      if (turn.steps.length > 0)
        addUserBlocks(
          messages,
          turn.steps.map((step) => toResultBlock(step, maps)),
        );
    }
  }
  return messages;
}

function addUserBlocks(messages: AnthropicMessage[], blocks: AnthropicBlock[]): void {
  const last = messages.at(-1);
  if (last?.role === "user") last.content.push(...blocks);
  else messages.push({ role: "user", content: blocks });
}

function toAssistantBlocks({ parts, steps }: AssistantTurn, { ids, names }: Maps): AnthropicBlock[] {
  const calls = steps.map(({ call }): AnthropicBlock => {
    const { name, arguments: text } = call.function;
    return { type: "tool_use", id: ids.map(call.id), name: names.map(name), input: toArgumentsObject(text) };
  });
  return [...parts.map(toAssistantBlock), ...calls];
}

function toAssistantBlock(part: TextPart | ReasoningPart): AnthropicBlock {
  return part.type === "text" ? { type: "text", text: part.text } : toThinkingBlock(part);
}

function toBlock(part: TextPart | ImagePart): AnthropicTextBlock | AnthropicImageBlock {
  if (part.type === "text") return { type: "text", text: part.text };
  return { type: "image", source: { type: "base64", media_type: part.mediaType, data: part.data } };
}

function toResultBlock({ call, result }: ToolStep, { ids }: Maps): AnthropicToolResultBlock {
  const content = toResultParts(result).map(toBlock);
  return { type: "tool_result", tool_use_id: ids.map(call.id), content, ...(result.isError === true ? { is_error: true } : {}) };
}
