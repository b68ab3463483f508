import type { AgentOutput, ConversationMessage, ToolDetails, ToolDiff } from "@skein/contracts";
import { formatText, toOneLine, truncateCodePoints } from "@skein/engine";
import type { Replay } from "./replay.fixture.ts";

/** A conversation in a form that can be compared with the recording by eye: one line per message. */
export function describeConversation({ shown, outputs }: Replay): string {
  const lines = [...shown.map(describeMessage), ...outputs.flatMap(describeFact)];
  return lines.length === 0 ? "(nothing)\n" : `${lines.join("\n")}\n`;
}

function describeMessage(message: ConversationMessage): string {
  if (message.messageType !== "tool_execution") {
    const flags = message.messageType === "text" || message.messageType === "thinking" ? describeFlags(message.metadata) : "";
    const code = message.messageType === "notice" || message.messageType === "error" ? ` [${message.metadata?.code ?? "-"}]` : "";
    return `${message.messageType}${code}${flags}: ${short(message.content, 160)}`;
  }
  const { metadata } = message;
  const parent = metadata.parentToolUseId === undefined ? "" : "  (in a subagent) ";
  const details = metadata.details === undefined ? `output ${short(metadata.output, 100)}` : describeDetails(metadata.details);
  return `${parent}tool ${metadata.toolName} ${metadata.state}${metadata.isError ? " (error)" : ""}: ${message.content} | ${details}`;
}

type TextMetadata = Extract<ConversationMessage, { messageType: "text" | "thinking" }>["metadata"];

function describeFlags(metadata: TextMetadata): string {
  const flags = [
    metadata?.streaming ? " (streaming)" : "",
    metadata?.interrupted ? " (interrupted)" : "",
    metadata?.parentToolUseId ? " (in a subagent)" : "",
  ];
  return flags.join("");
}

function describeDetails({ type, data }: ToolDetails): string {
  switch (type) {
    case "diff":
      return `diff ${describeDiff(data)}`;
    case "commandOutput": {
      const changed = data.changedFiles === undefined ? "" : `, changed ${data.changedFiles.map(describeDiff).join(" ")}`;
      return `commandOutput exit ${data.exitCode}, ${data.stdout.length} chars: ${short(data.stdout, 80)}${changed}`;
    }
    case "fileContent":
      return `fileContent from line ${data.startLine} of ${data.totalLines ?? "?"}: ${short(data.content, 80)}`;
    case "image":
      return `image ${data.mediaType} ${data.filePath ?? ""} ${data.data.length} chars`;
    default:
      return `${type} ${short(JSON.stringify(data), 300)}`;
  }
}

function describeDiff(diff: ToolDiff): string {
  const hunks = diff.hunks.map(
    (hunk) => `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@ ${short(hunk.lines.join(" "), 100)}`,
  );
  const contents = diff.scope === "file" ? " with contents" : "";
  return `${diff.change} ${diff.filePath}${contents} ${hunks.join(" ")}${diff.patch === undefined ? "" : short(diff.patch, 80)}`.trim();
}

/** The outputs that the server acts on. */
function describeFact(output: AgentOutput): string[] {
  switch (output.type) {
    case "session":
      return [`→ session ${output.model ?? ""}`];
    case "approval-request":
      return [`→ approval ${output.toolName} ${short(JSON.stringify(output.input), 80)}`];
    case "end":
      return [
        `→ end ${output.status}${output.code ? ` [${output.code}]` : ""} ${short(formatText(output.reason ?? ""), 120)} ${JSON.stringify(output.usage)}`,
      ];
    default:
      return [];
  }
}

function short(text: string, length: number): string {
  return truncateCodePoints(toOneLine(text), length);
}
