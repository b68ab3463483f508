import type { MessageBody, MessageEntity, ToolResultPart } from "@skein/contracts";
import { keepStart, takeEnd, takeStart } from "../text/truncate.ts";

/**
 * A history as text, for a model that must not continue it: as text, no provider's pairing rules apply. The user's messages are complete;
 * outputs and arguments keep their start and end within `maxOutputLength`.
 */
export function renderTranscript(messages: readonly MessageEntity[], { maxOutputLength }: { maxOutputLength: number }): string {
  return messages.map(({ body }) => renderBody(body, maxOutputLength)).join("\n\n");
}

function renderBody(body: MessageBody, max: number): string {
  if (body.role === "tool") return body.content.map((part) => renderResult(part, max)).join("\n\n");
  const calls = body.role === "assistant" ? (body.toolCalls ?? []) : [];
  const lines = calls.map((call) => `[calls ${call.function.name} ${keepEnds(call.function.arguments, max)}]`);
  return [`<${body.role}>`, ...renderContent(body.content), ...lines].join("\n");
}

function renderContent(content: Exclude<MessageBody, { role: "tool" }>["content"]): string[] {
  if (typeof content === "string") return content.trim() === "" ? [] : [content];
  return content.flatMap((part) => (part.type === "text" ? [part.text] : part.type === "image" ? ["[an image]"] : []));
}

function renderResult({ toolName, result, isError }: ToolResultPart, max: number): string {
  const text = typeof result === "string" ? result : result.map((part) => (part.type === "text" ? part.text : "[an image]")).join("\n");
  return `<${isError ? "error" : "result"} of ${toolName || "a tool"}>\n${keepEnds(text, max)}`;
}

/** What a command did is at its start, how it ended at its end. */
function keepEnds(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max < 80) return keepStart(text, max);
  const half = Math.floor(max / 2);
  return `${takeStart(text, half)}\n[… ${text.length - 2 * half} characters left out …]\n${takeEnd(text, half)}`;
}
