import type { ConversationMessage, FileDiff, ToolDetails } from "@skein/contracts";
import { formatText } from "@skein/engine";
import type { Played } from "./play-recording.fixture.ts";

/** One line for everything that a user sees and that the server reads: short enough to compare with the recording. */
export function formatConversation({ outputs, conversation }: Played): string[] {
  return [...outputs.flatMap(formatFact), ...conversation.map(formatMessage)];
}

function formatFact(output: Played["outputs"][number]): string[] {
  switch (output.type) {
    case "session":
      return [`# session ${output.sessionId}${output.model === undefined ? "" : ` ${output.model}`}`];
    case "approval-request":
      return [`# asks ${output.toolName} ${quote(JSON.stringify(output.input))} ${output.requestId}`];
    case "end":
      return [
        [
          "# end",
          output.status,
          output.code,
          output.reason === undefined ? undefined : quote(formatText(output.reason)),
          JSON.stringify(output.usage ?? {}),
        ]
          .filter((part) => part !== undefined)
          .join(" "),
      ];
    default:
      return [];
  }
}

function formatMessage(message: ConversationMessage): string {
  switch (message.messageType) {
    case "tool_execution": {
      const { state, toolName, output, details } = message.metadata;
      const parts = [`[${state}] ${toolName}: ${message.content}`, output === "" ? "" : `→ ${quote(output)}`, formatDetails(details)];
      return parts.filter((part) => part !== "").join(" ");
    }
    case "text":
    case "thinking":
      return `${message.messageType}${message.metadata?.interrupted === true ? " (interrupted)" : ""} ${quote(message.content)}`;
    default:
      return `${message.messageType} ${quote(message.content)}`;
  }
}

function formatDetails(details: ToolDetails | undefined): string {
  if (details === undefined) return "";
  switch (details.type) {
    case "diff":
      return `{diff ${[details.data, ...(details.data.otherFiles ?? [])].map(formatDiff).join("; ")}}`;
    case "commandOutput":
      return `{exit ${details.data.exitCode}}`;
    case "todoList":
      return `{todo ${details.data.items.map((item) => `${item.status}:${item.text}`).join(", ")}}`;
    case "fileContent":
      return `{content ${details.data.filePath} from ${details.data.startLine} ${quote(details.data.content)}}`;
    case "fileList":
      return `{files ${details.data.join(", ")}}`;
    default:
      return `{${details.type} ${quote(JSON.stringify(details.data))}}`;
  }
}

function formatDiff({ filePath, change, hunks, patch }: FileDiff): string {
  const changes = hunks.map(({ oldStart, newStart, lines }) => `@${oldStart},${newStart} ${lines.map(quote).join(" ")}`);
  return [change ?? "changed", filePath, ...changes, ...(patch === undefined ? [] : [`patch ${quote(patch)}`])].join(" ");
}

function quote(text: string): string {
  return JSON.stringify(text.length > 120 ? `${text.slice(0, 90)}…${text.slice(-20)}` : text);
}
