import type { AssistantMessage, MessageBody } from "@skein/contracts";

/** Assistant messages that say nothing: no text, no call, and no reasoning that its model wants back. The same array when there are none. */
export function dropInvalidMessages(messages: readonly MessageBody[]): readonly MessageBody[] {
  return messages.every(isValid) ? messages : messages.filter(isValid);
}

function isValid(message: MessageBody): boolean {
  return message.role !== "assistant" || saysSomething(message);
}

export function saysSomething({ content, toolCalls }: AssistantMessage): boolean {
  if (toolCalls !== undefined && toolCalls.length > 0) return true;
  if (typeof content === "string") return hasText(content);
  return content.some((part) =>
    part.type === "text" ? hasText(part.text) : part.signature !== undefined || part.providerData !== undefined,
  );
}

/** `trim` copies a text that has white space around it: most texts show at once that they are not blank. */
function hasText(text: string): boolean {
  return text.charCodeAt(0) > 0x20 && text.charCodeAt(0) < 0x7f ? true : text.trim() !== "";
}
