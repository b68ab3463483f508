import type { AttemptId, ConversationMessage } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import { toSlug } from "../git/slug.ts";
import { getAttempt, getTask } from "./lookup.ts";
import type { Services } from "./services.ts";

type Exported = Awaited<ReturnType<Services["attempts"]["export"]>>;

/** Everything of an attempt, for programs (`json`) or to read (`markdown`). */
export function exportAttempt(storage: Storage, id: AttemptId, format: "json" | "markdown"): Promise<Exported> {
  return storage.snapshot(async (reader) => {
    const attempt = await getAttempt(reader, id);
    const task = await getTask(reader, attempt.taskId);
    const { messages: conversation } = await reader.listConversationMessages({ attemptId: id, limit: Number.MAX_SAFE_INTEGER });
    const name = `${toSlug(task.title)}-${attempt.number}`;
    if (format === "markdown") {
      const heading = `# ${task.title}\n\n${attempt.agent}${attempt.model === null ? "" : ` · ${attempt.model}`}\n`;
      return {
        mediaType: "text/markdown; charset=utf-8",
        fileName: `${name}.md`,
        body: [heading, ...conversation.map(toMarkdown)].join("\n"),
      };
    }
    const whole = {
      format: "skein-attempt/1",
      task,
      attempt,
      executions: await reader.listExecutions({ attemptId: id }),
      messages: await reader.listMessages({ attemptId: id }),
      conversation,
    };
    return { mediaType: "application/json", fileName: `${name}.json`, body: JSON.stringify(whole, null, 2) };
  });
}

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
