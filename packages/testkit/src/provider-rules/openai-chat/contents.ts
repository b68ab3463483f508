import { emptyArray } from "../openai-violation.ts";
import type { Violation } from "../violation.ts";
import { type ChatMessage, type ChatRequest, toolCallsOf } from "./request.ts";

/** C3: content is null only with tool calls (or a refusal), and no list is empty. */
export function checkContents(request: ChatRequest): Violation[] {
  return request.messages.flatMap((message, index) => [...checkContent(message, index), ...checkToolCallList(message, index)]);
}

function checkContent(message: ChatMessage, index: number): Violation[] {
  const path = `messages[${index}].content`;
  if (Array.isArray(message.content)) return message.content.length === 0 ? [emptyArray("C3", path)] : [];
  if (typeof message.content === "string") return [];
  const mayBeNull = toolCallsOf(message).length > 0 || (message.role === "assistant" && typeof message.refusal === "string");
  if (mayBeNull) return [];
  return [{ rule: "C3", path: `messages.[${index}].content`, message: "Invalid value for 'content': expected a string, got null." }];
}

function checkToolCallList(message: ChatMessage, index: number): Violation[] {
  if (message.role !== "assistant" || message.tool_calls?.length !== 0) return [];
  return [emptyArray("C3", `messages[${index}].tool_calls`)];
}
