import type { AssistantMessage, MessageBody } from "@skein/contracts";

/** Assistant messages that say nothing: no text, no call, and no reasoning that its model wants back. */
export function dropInvalidMessages(messages: readonly MessageBody[]): MessageBody[] {
  return messages.filter((message) => message.role !== "assistant" || saysSomething(message));
}

function saysSomething({ content, toolCalls }: AssistantMessage): boolean {
  if (toolCalls !== undefined && toolCalls.length > 0) return true;
  if (typeof content === "string") return content.trim() !== "";
  return content.some((part) =>
    part.type === "text" ? part.text.trim() !== "" : part.signature !== undefined || part.providerData !== undefined,
  );
}
