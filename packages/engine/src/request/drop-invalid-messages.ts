import type { AssistantMessage, MessageBody } from "@skein/contracts";

/**
 * Step 2: drops assistant messages without text, tool calls and reasoning that has to be replayed. Blank text counts as none.
 *
 * @returns the same array if there are none.
 */
export function dropInvalidMessages(messages: readonly MessageBody[]): readonly MessageBody[] {
  for (const message of messages) if (!isValid(message)) return messages.filter(isValid);
  return messages;
}

function isValid(message: MessageBody): boolean {
  return message.role !== "assistant" || hasContent(message);
}

function hasContent({ content, toolCalls }: AssistantMessage): boolean {
  if (toolCalls !== undefined && toolCalls.length > 0) return true;
  if (typeof content === "string") return hasText(content);
  return content.some((part) =>
    part.type === "text" ? hasText(part.text) : part.signature !== undefined || part.providerData !== undefined,
  );
}

/** Most texts begin with a visible ASCII character; `trim` would copy a long text that ends in white space. */
function hasText(text: string): boolean {
  const first = text.charCodeAt(0);
  return (first > 0x20 && first < 0x7f) || text.trim() !== "";
}
