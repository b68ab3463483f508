import type { ConversationMessage } from "@skein/contracts";

const maxContentLength = 100_000;
/** The beginning shows what an output is about; indexing all of it would make the index larger than the conversation. */
const maxOutputLength = 20_000;

/** The searchable text of a message. Undefined while it is growing: it is indexed once, when it is complete. */
export function toSearchText(message: ConversationMessage): string | undefined {
  const content = message.content.slice(0, maxContentLength);
  switch (message.messageType) {
    case "text":
    case "thinking":
      return message.metadata?.streaming ? undefined : content;
    case "tool_execution":
      return message.metadata.state === "running" ? undefined : `${content}\n${message.metadata.output.slice(0, maxOutputLength)}`;
    case "tool_result":
      return message.content.slice(0, maxOutputLength);
    case "tool_use":
    case "error":
    case "notice":
    case "summary":
      return content;
  }
}
