import type { AssistantMessage, JsonValue, MessageBody, ToolCall, ToolResultPart } from "@skein/contracts";
import type { UIPart, UIToolPart } from "./ui-message.ts";

/** All parts of a message except tool results. Keeps the order of `segments`, if there are any. */
export function toParts(body: Exclude<MessageBody, { role: "tool" }>): UIPart[] {
  if (body.role === "assistant") return body.segments === undefined ? toAssistantParts(body) : toStreamedParts(body);
  return typeof body.content === "string" ? toTextParts(body.content) : [...body.content];
}

function toAssistantParts({ content, toolCalls }: AssistantMessage): UIPart[] {
  const said: UIPart[] =
    typeof content === "string"
      ? toTextParts(content)
      : content.map((part) => (part.type === "text" ? part : { type: "reasoning", text: part.text }));
  return [...said, ...(toolCalls ?? []).map(toCallPart)];
}

function toStreamedParts({ segments, toolCalls }: AssistantMessage): UIPart[] {
  const calls = [...(toolCalls ?? [])];
  const parts = (segments ?? []).flatMap((segment): UIPart[] => {
    if (segment.type !== "tool-call") return [segment];
    const place = calls.findIndex((call) => call.id === segment.toolCallId);
    return place < 0 ? [] : calls.splice(place, 1).map(toCallPart);
  });
  return [...parts, ...calls.map(toCallPart)];
}

function toTextParts(text: string): UIPart[] {
  return text === "" ? [] : [{ type: "text", text }];
}

function toCallPart(call: ToolCall): UIToolPart {
  return { type: "tool", id: call.id, name: call.function.name, input: parseInput(call.function.arguments), state: "tool_use" };
}

/** The UI part of a tool result. */
export function toResultPart(part: ToolResultPart): UIToolPart {
  const { toolCallId, toolName, input, result, isError } = part;
  return { type: "tool", id: toolCallId, name: toolName, input, state: "tool_result", result, isError: isError ?? false };
}

/** The call keeps its own name and input: a result of an old history may have neither. */
export function withResult(call: UIToolPart, result: UIToolPart): UIToolPart {
  return result.state === "tool_result" ? { ...call, state: "tool_result", result: result.result, isError: result.isError } : call;
}

function parseInput(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text; // broken JSON is shown as the model wrote it
  }
}
