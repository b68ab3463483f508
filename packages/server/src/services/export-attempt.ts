import type { Attempt, AttemptId, ConversationMessage, Task } from "@skein/contracts";
import { type Storage, type StorageReader, toSlug } from "@skein/engine";
import { getAttempt, getTask } from "./lookup.ts";
import { readAttemptConversation, readAttemptMessages } from "./read-attempt-messages.ts";
import { readSnapshot } from "./read-snapshot.ts";
import { writeJsonArray } from "./streamed-json.ts";
import type { AttemptService } from "./task-services.ts";

type Exported = Awaited<ReturnType<AttemptService["export"]>>;

/** Exports an attempt for programs (`json`) or for reading (`markdown`): one database snapshot, generated while it is read. */
export async function exportAttempt(storage: Storage, id: AttemptId, format: "json" | "markdown"): Promise<Exported> {
  const { task, attempt } = await readHead(storage.read, id);
  const name = `${toSlug(task.title)}-${attempt.number}`;
  return format === "markdown"
    ? {
        mediaType: "text/markdown; charset=utf-8",
        fileName: `${name}.md`,
        pieces: readSnapshot(storage, (reader) => writeMarkdown(reader, id)),
      }
    : { mediaType: "application/json", fileName: `${name}.json`, pieces: readSnapshot(storage, (reader) => writeJson(reader, id)) };
}

async function readHead(reader: StorageReader, id: AttemptId): Promise<{ task: Task; attempt: Attempt }> {
  const attempt = await getAttempt(reader, id);
  return { task: await getTask(reader, attempt.taskId), attempt };
}

async function* writeMarkdown(reader: StorageReader, id: AttemptId): AsyncGenerator<string, void> {
  const { task, attempt } = await readHead(reader, id);
  yield `# ${task.title}\n\n${attempt.agent}${attempt.model === null ? "" : ` · ${attempt.model}`}\n`;
  for await (const slice of readAttemptConversation(reader, { attemptId: id })) yield slice.map((one) => `\n${toMarkdown(one)}`).join("");
}

/** Same format as `JSON.stringify(whole, null, 2)`. */
async function* writeJson(reader: StorageReader, id: AttemptId): AsyncGenerator<string, void> {
  const head = { format: "skein-attempt/1", ...(await readHead(reader, id)), executions: await reader.listExecutions({ attemptId: id }) };
  yield JSON.stringify(head, null, 2).slice(0, -"\n}".length);
  yield ',\n  "messages": ';
  yield* writeJsonArray(readAttemptMessages(reader, { attemptId: id }), indented);
  yield ',\n  "conversation": ';
  yield* writeJsonArray(readAttemptConversation(reader, { attemptId: id }), indented);
  yield "\n}";
}

const indented = {
  write: (value: unknown) => JSON.stringify(value, null, 2).replaceAll("\n", "\n    "),
  begin: "[\n    ",
  between: ",\n    ",
  end: "\n  ]",
};

function toMarkdown(message: ConversationMessage): string {
  switch (message.messageType) {
    case "text":
      return `## ${message.role === "user" ? "User" : "Assistant"}\n\n${message.content}\n`;
    case "tool_execution":
      return `- \`${message.metadata.toolName}\` ${message.content} (${message.metadata.state})\n`;
    case "thinking":
      return `> ${message.content.replaceAll("\n", "\n> ")}\n`;
    default:
      return `_${message.content}_\n`;
  }
}
