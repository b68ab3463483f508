import type { MessageBody, ToolCall } from "@skein/contracts";
import { type ForeignObject, hasText, toObjects } from "./foreign-object.ts";
import { type MessageFormat, toAnswer, toCall, toResult, type Unit } from "./message-format.ts";

/** `ModelMessage[]` and the prompt of a language model in the AI SDK. Its providers map ids and names themselves. */
export const aiSdkFormat: MessageFormat = {
  ids: { pattern: /./s, encode: (id, attempt) => `${id}_${attempt}` },
  read: (messages) => messages.map(readMessage),
  writeHead({ messages: [message = {}] }, callIds) {
    if (message.role !== "assistant" || !Array.isArray(message.content)) return [message];
    const ids = callIds.values();
    const content = toObjects(message.content).map((part) =>
      isOpenCall(part, message) ? { ...part, toolCallId: ids.next().value } : part,
    );
    return [{ ...message, content }];
  },
  writeResults: (results) => [{ role: "tool", content: results }],
  renameResult: (result, id) => ({ ...result, toolCallId: id }),
  replaceOutput: (result, text) => ({ ...result, output: { type: "text", value: text } }),
  createResult: ({ toolCallId, toolName, result }) => ({
    type: "tool-result",
    toolCallId,
    toolName,
    output: { type: "error-text", value: String(result) },
  }),
};

/** A call that the provider ran itself has its result in the same message. */
function isOpenCall(part: ForeignObject, { content }: ForeignObject): boolean {
  if (part.type !== "tool-call") return false;
  return !toObjects(content).some(({ type, toolCallId }) => type === "tool-result" && toolCallId === part.toolCallId);
}

function readMessage(message: ForeignObject): Unit {
  const { role, content } = message;
  if (role === "tool") {
    const parts = toObjects(content);
    const results = parts.filter(({ type }) => type === "tool-result");
    // answers to approval requests are not results
    const bodies: MessageBody[] =
      results.length < parts.length
        ? [{ role: "user", content: "" }]
        : [{ role: "tool", content: results.map((part) => toResult(part, { id: part.toolCallId, name: part.toolName })) }];
    return { messages: [message], bodies };
  }
  if (role !== "assistant") return { messages: [message], bodies: [{ role: role === "user" ? "user" : "system", content: "" }] };
  const parts = toObjects(content);
  const calls = parts
    .filter((part) => isOpenCall(part, message))
    .map((part): ToolCall => toCall({ id: part.toolCallId, name: part.toolName, input: part.input }));
  const hasContent = hasText(content) || parts.some(({ type, text }) => type !== "tool-call" && (type !== "text" || hasText(text)));
  return { messages: [message], bodies: [toAnswer({ hasContent, calls })] };
}
