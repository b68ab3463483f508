import { stripVTControlCharacters } from "node:util";
import type { AttemptDiff, ConversationMessage, FileDiff, ToolExecution } from "@skein/contracts";
import { fence, keepStart } from "@skein/engine";
import type { ExportedAttempt } from "./exported-attempt.ts";

/** Limit of one output: the file is meant for reading. */
const longestOutput = 10_000;

/** For reading: the conversation with the commands, changes and outputs of tools, then the changes of the attempt. */
export async function* writeMarkdown({ head, changes, conversation, redaction }: ExportedAttempt): AsyncGenerator<string, void> {
  const { task, attempt } = head;
  yield `# ${task.title}\n\n${attempt.agent}${attempt.model === null ? "" : ` · ${attempt.model}`}\n`;
  for await (const slice of conversation()) yield slice.map((one) => `\n${toMarkdown(one)}`).join("");
  if (changes !== null && changes.files.length > 0) yield toChanges(changes);
  const redacted = redaction()?.redacted ?? [];
  if (redacted.length > 0) yield `\n---\n\nRedacted: ${redacted.map(({ kind, count }) => `${kind} (${count})`).join(", ")}\n`;
}

function toMarkdown(message: ConversationMessage): string {
  switch (message.messageType) {
    case "text":
      return `## ${message.role === "user" ? "User" : "Assistant"}\n\n${message.content}\n${toImages(message.metadata?.images ?? [])}`;
    case "tool_execution":
      return toTool(message.content, message.metadata);
    case "thinking":
      return `> ${message.content.replaceAll("\n", "\n> ")}\n`;
    default:
      return `_${message.content}_\n`;
  }
}

const toImages = (images: readonly { mediaType: string; data: string }[]): string =>
  images.map(({ mediaType, data }) => `\n![](data:${mediaType};base64,${data})\n`).join("");

function toTool(summary: string, { toolName, state, details, output, isError }: ToolExecution): string {
  const line = `- \`${toolName}\` ${summary} (${state})\n`;
  if (details?.type === "diff") return `${line}\n${[details.data, ...(details.data.otherFiles ?? [])].map(toDiff).join("\n")}`;
  if (details?.type === "image") return `${line}${toImages([details.data])}`;
  if (details?.type === "commandOutput") {
    const { command, stdout, stderr } = details.data;
    return `${line}\n${fence(command, "sh")}\n${toOutput([stdout, stderr].filter(Boolean).join("\n"))}`;
  }
  if (details?.type === "todoList") {
    const marks = { pending: " ", "in-progress": " ", completed: "x", cancelled: "-" };
    return `${line}${details.data.items.map(({ text, status }) => `  - [${marks[status]}] ${text}\n`).join("")}`;
  }
  // what was read or found is listed in the summary
  return isError || details === undefined ? `${line}${toOutput(output)}` : line;
}

const toOutput = (text: string): string =>
  text.trim() === "" ? "" : `\n${fence(keepStart(stripVTControlCharacters(text), longestOutput))}\n`;

function toChanges({ files, truncated }: AttemptDiff): string {
  return `\n# Changes\n\n${files.map(toDiff).join("\n")}${truncated ? "\n_More files have changed._\n" : ""}`;
}

function toDiff({ filePath, hunks, patch }: FileDiff): string {
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ]);
  return fence([`--- ${filePath}`, ...(lines.length > 0 ? lines : patch === undefined ? [] : [patch])].join("\n"), "diff");
}
