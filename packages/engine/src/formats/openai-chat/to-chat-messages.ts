import type { AssistantTurn, Conversation, UserPart } from "../conversation/conversation.ts";
import { toArgumentsText } from "../conversation/tool-arguments.ts";
import { splitResult, toFlaggedText } from "../conversation/tool-results.ts";
import type { IdMap } from "../identifiers/id-map.ts";
import type { NameMap } from "../identifiers/name-map.ts";
import type { ChatContentPart, ChatMessage, ChatToolCall } from "./chat-message.ts";

export interface ChatMessageOptions {
  ids: IdMap;
  names: NameMap;
  allowsUserAfterTool: boolean;
}

/** A placeholder answer, for servers that reject a user message directly after a tool message. */
const acknowledgement = "I have the results.";

/** Turns as messages of Chat Completions, without the system prompt. */
export function toChatMessages(turns: Conversation["turns"], options: ChatMessageOptions): ChatMessage[] {
  const messages: ChatMessage[] = [];
  // The next user message. Images of results go first, because tool messages hold only text.
  let waiting: UserPart[] = [];
  const flush = () => {
    if (waiting.length === 0) return;
    if (!options.allowsUserAfterTool && messages.at(-1)?.role === "tool") messages.push({ role: "assistant", content: acknowledgement });
    messages.push({ role: "user", content: toContent(waiting) });
    waiting = [];
  };
  for (const turn of turns) {
    if (turn.role === "user") {
      waiting.push(...turn.parts);
      flush();
      continue;
    }
    flush();
    messages.push(toAssistantMessage(turn, options));
    for (const { call, result } of turn.steps) {
      const { text, images } = splitResult(result);
      messages.push({ role: "tool", tool_call_id: options.ids.map(call.id), content: toFlaggedText(text, result.isError) });
      if (images.length > 0) waiting.push({ type: "text", text: `Images from ${call.function.name.toWellFormed()}:` }, ...images);
    }
  }
  flush();
  return messages;
}

function toAssistantMessage({ parts, steps }: AssistantTurn, { ids, names }: ChatMessageOptions): ChatMessage {
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
  if (steps.length === 0) return { role: "assistant", content: text };
  const calls = steps.map(
    ({ call }): ChatToolCall => ({
      id: ids.map(call.id),
      type: "function",
      function: { name: names.map(call.function.name), arguments: toArgumentsText(call.function.arguments) },
    }),
  );
  return { role: "assistant", content: text === "" ? null : text, tool_calls: calls };
}

/** A plain string if possible: not every compatible server accepts lists. A summary next to the user's text stays a separate part. */
function toContent(parts: readonly UserPart[]): string | ChatContentPart[] {
  const isJoined = parts.length === 1 || parts.every((part) => part.type === "text" && part.isSeparate !== true);
  if (isJoined && parts.every((part) => part.type === "text")) return parts.map((part) => part.text).join("\n\n");
  return parts.map((part): ChatContentPart => {
    if (part.type === "text") return { type: "text", text: part.text };
    return { type: "image_url", image_url: { url: `data:${part.mediaType};base64,${part.data}` } };
  });
}
