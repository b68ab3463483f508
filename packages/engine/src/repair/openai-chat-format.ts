import { chatIds } from "../formats/identifiers/id-map.ts";
import { type ForeignObject, hasText, toObjects } from "./foreign-object.ts";
import { type MessageFormat, toAnswer, toCall, toResult, type Unit } from "./message-format.ts";

/** OpenAI's Chat Completions API and compatible servers: each result is a message. */
export const openaiChatFormat: MessageFormat = {
  ids: chatIds,
  read: (messages) => messages.map(readMessage),
  writeHead({ messages: [message = {}] }, callIds) {
    if (message.role !== "assistant") return [message];
    const { tool_calls: given, ...rest } = message;
    const calls = toObjects(given).map((call, i) => ({ ...call, id: callIds[i] ?? call.id }));
    return [calls.length === 0 ? rest : { ...rest, content: hasContent(message) ? message.content : null, tool_calls: calls }];
  },
  writeResults: (results) => [...results],
  renameResult: (result, id) => ({ ...result, tool_call_id: id }),
  replaceOutput: (result, text) => ({ ...result, content: text }),
  createResult: ({ toolCallId, result }) => ({ role: "tool", tool_call_id: toolCallId, content: `Error: ${String(result)}` }),
};

function readMessage(message: ForeignObject): Unit {
  if (message.role === "tool") {
    return { messages: [message], bodies: [{ role: "tool", content: [toResult(message, { id: message.tool_call_id })] }] };
  }
  if (message.role !== "assistant")
    return { messages: [message], bodies: [{ role: message.role === "user" ? "user" : "system", content: "" }] };
  const { content, tool_calls: given } = message;
  const calls = toObjects(given).map(({ id, function: called, custom }) => {
    const { name, arguments: text, input } = (called ?? custom ?? {}) as ForeignObject;
    return toCall({ id, name, input: text ?? input });
  });
  const isMalformed = (given !== undefined && calls.length === 0) || (Array.isArray(content) && content.length === 0);
  return { messages: [message], bodies: [toAnswer({ hasContent: hasContent(message), calls })], isMalformed };
}

function hasContent({ content, refusal, audio }: ForeignObject): boolean {
  return hasText(content) || toObjects(content).length > 0 || hasText(refusal) || (audio !== undefined && audio !== null);
}
