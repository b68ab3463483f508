import type { JsonValue, MessageBody, ReasoningPart, ToolCall, ToolResultPart } from "@skein/contracts";
import type { PathMover } from "./path-mover.ts";

type AssistantBody = Extract<MessageBody, { role: "assistant" }>;

/**
 * A message with paths of earlier folders replaced by the current one. Returns the same object if there are none.
 *
 * A provider's signature is invalid once the text or arguments next to it have changed: such a message is sent like that of another
 * model, without signatures and item ids.
 */
export function moveMessagePaths(body: MessageBody, { moveText, moveJson }: PathMover): MessageBody {
  switch (body.role) {
    case "system":
      return withContent(body, moveText(body.content));
    case "user":
      return withContent(body, moveContent(body.content, moveText));
    case "assistant":
      return moveAssistant(body, { moveText, moveJson });
    case "tool":
      return withContent(
        body,
        mapSame(body.content, (part) => moveResult(part, { moveText, moveJson })),
      );
  }
}

function moveAssistant(body: AssistantBody, { moveText, moveJson }: PathMover): AssistantBody {
  const content = moveContent(body.content, moveText);
  const toolCalls = body.toolCalls && mapSame(body.toolCalls, (call) => moveCall(call, moveJson));
  const segments =
    body.segments && mapSame(body.segments, (segment) => (segment.type === "tool-call" ? segment : withText(segment, moveText)));
  if (content === body.content && toolCalls === body.toolCalls && segments === body.segments) return body;
  const moved: AssistantBody = {
    ...body,
    content,
    ...(toolCalls === undefined ? {} : { toolCalls }),
    ...(segments === undefined ? {} : { segments }),
  };
  const isSignedChanged = toolCalls !== body.toolCalls || changesReasoning(body.content, content);
  return isSignedChanged ? withoutProviderData(moved) : moved;
}

function changesReasoning(before: AssistantBody["content"], after: AssistantBody["content"]): boolean {
  if (typeof before === "string" || typeof after === "string") return false;
  return before.some((part, index) => part.type === "reasoning" && part !== after[index]);
}

function withoutProviderData(body: AssistantBody): AssistantBody {
  const { content, toolCalls } = body;
  return {
    ...body,
    content: typeof content === "string" ? content : content.map((part) => (part.type === "reasoning" ? toUnsigned(part) : part)),
    ...(toolCalls === undefined ? {} : { toolCalls: toolCalls.map(({ providerData: _, ...call }): ToolCall => call) }),
  };
}

function toUnsigned({ type, text }: ReasoningPart): ReasoningPart {
  return { type, text };
}

function moveCall(call: ToolCall, moveJson: PathMover["moveJson"]): ToolCall {
  const text = moveJson(call.function.arguments);
  return text === call.function.arguments ? call : { ...call, function: { ...call.function, arguments: text } };
}

function moveResult(part: ToolResultPart, { moveText, moveJson }: PathMover): ToolResultPart {
  const input = moveValue(part.input, moveJson);
  const result = moveContent(part.result, moveText);
  return input === part.input && result === part.result ? part : { ...part, input, result };
}

function moveValue(value: JsonValue, moveJson: PathMover["moveJson"]): JsonValue {
  const text = JSON.stringify(value);
  const moved = moveJson(text);
  return moved === text ? value : (JSON.parse(moved) as JsonValue);
}

function moveContent<Part extends { type: string }>(content: string | Part[], moveText: PathMover["moveText"]): string | Part[] {
  return typeof content === "string" ? moveText(content) : mapSame(content, (part) => withText(part, moveText));
}

function withText<Part extends { type: string }>(part: Part, moveText: PathMover["moveText"]): Part {
  if (!("text" in part) || typeof part.text !== "string") return part;
  const text = moveText(part.text);
  return text === part.text ? part : { ...part, text };
}

function withContent<Body extends MessageBody>(body: Body, content: Body["content"]): Body {
  return content === body.content ? body : { ...body, content };
}

/** Returns the same array if nothing changed. */
function mapSame<Value>(values: Value[], change: (value: Value) => Value): Value[] {
  const changed = values.map(change);
  return changed.every((value, index) => value === values[index]) ? values : changed;
}
