import type { Actor, ConversationMessage } from "@skein/contracts";
import { type Paint, plain } from "../terminal/style.ts";
import { toRevealedLine, toTerminalText } from "../terminal/terminal-text.ts";
import { formatToolLine } from "./tool-line.ts";

/** A conversation in readable form: the texts, and one line for each tool execution. */
export function formatConversation(messages: ConversationMessage[], paint: Paint = plain): string {
  return messages.map((message) => formatMessage(message, paint)).join("\n\n");
}

export function formatMessage(message: ConversationMessage, paint: Paint): string {
  const text = toTerminalText(message.content).trim();
  switch (message.messageType) {
    case "text":
      return message.role === "user" ? formatUserMessage(text, message.metadata?.by, paint) : text;
    case "thinking":
      return paint("dim", `(thinking) ${text}`);
    case "tool_execution":
      return message.metadata.state === "running"
        ? `… ${toTerminalText(message.content)}`
        : formatToolLine(message.content, message.metadata, paint);
    case "tool_use":
      return `→ ${toTerminalText(message.metadata.toolName)}`;
    case "tool_result":
      return `${message.metadata.isError ? "✗" : "←"} ${text}`;
    case "error": {
      const hint = message.metadata?.hint;
      return paint("red", `Error: ${text}${hint === undefined ? "" : `\n${toTerminalText(hint)}`}`);
    }
    case "notice":
      return paint("dim", `Note: ${text}`);
    case "summary":
      return paint("dim", `(summary of ${message.metadata.messageCount} earlier messages) ${text}`);
  }
}

/** With the name of its sender, where the server has users. */
function formatUserMessage(text: string, by: Actor | undefined, paint: Paint): string {
  const quoted = paint("bold", `> ${text.replaceAll("\n", "\n> ")}`);
  return by === undefined ? quoted : `${paint("dim", `${toRevealedLine(by.name)}:`)}\n${quoted}`;
}
