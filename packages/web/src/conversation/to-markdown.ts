import type { ConversationMessage } from "@skein/contracts";
import { fence } from "@skein/engine";
import { stripAnsi } from "../text/parse-ansi.ts";

/** One message as Markdown: its own text, or a tool's summary and output. */
export function toMarkdown(message: ConversationMessage): string {
  switch (message.messageType) {
    case "tool_execution": {
      const { details, output, toolName } = message.metadata;
      const printed = details?.type === "commandOutput" ? [details.data.stdout, details.data.stderr].filter(Boolean).join("\n") : output;
      const command = details?.type === "commandOutput" ? `${fence(details.data.command, "sh")}\n\n` : "";
      return `**${message.content || toolName}**\n\n${command}${printed === "" ? "" : fence(stripAnsi(printed))}`.trimEnd();
    }
    case "tool_use":
      return `**${message.metadata.toolName}**\n\n${fence(JSON.stringify(message.metadata.input, null, 2), "json")}`;
    case "tool_result":
      return fence(stripAnsi(message.content));
    default:
      return message.content;
  }
}
