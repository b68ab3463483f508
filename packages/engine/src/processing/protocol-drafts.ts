import type { AssistantMessage, JsonValue, ReasoningPart, Segment, TextPart, ToolResultPart } from "@skein/contracts";
import type { MessageDraft } from "./message-processor.ts";
import type { OpenMessage, ProtocolSlot, TextBlock, ToolBlock, ToolResultRecord } from "./processor-state.ts";

export function countCalls({ blocks }: OpenMessage): number {
  let count = 0;
  for (const block of blocks) if (block.kind === "tool" && !block.isVoid) count += 1;
  return count;
}

/** The calls of a message in order: call number k is answered at position p + 1 + k. */
export function listCalls(message: OpenMessage): ToolBlock[] {
  return message.blocks.filter((block): block is ToolBlock => block.kind === "tool" && !block.isVoid);
}

/** The protocol message of an open assistant message. */
export function toAssistantDraft(message: OpenMessage, position: number): MessageDraft {
  const { id, model, usage, createdAt } = message;
  const body: AssistantMessage = { role: "assistant", content: toContent(message) };
  const calls = listCalls(message);
  if (calls.length > 0) body.toolCalls = calls.map(toToolCall);
  if (saysSomethingAfterCall(message)) body.segments = listSegments(message);
  const draft: MessageDraft = { id, position, body, createdAt };
  if (model !== undefined) draft.model = model;
  if (usage !== undefined) draft.usage = usage;
  return draft;
}

function toToolCall({ call }: ToolBlock): NonNullable<AssistantMessage["toolCalls"]>[number] {
  const { id, name, providerData } = call;
  const toolCall = { id, type: "function" as const, function: { name, arguments: call.arguments } };
  return providerData === undefined ? toolCall : { ...toolCall, providerData };
}

/** Whether a message has anything that a provider accepts. */
export function hasContent(message: OpenMessage): boolean {
  return message.blocks.some((block) => !block.isVoid && (block.kind === "tool" || isPart(block)));
}

function isPart(block: TextBlock): boolean {
  return !block.isVoid && (block.text !== "" || block.signature !== undefined || block.providerData !== undefined);
}

function toContent(message: OpenMessage): AssistantMessage["content"] {
  const blocks = message.blocks.filter((block): block is TextBlock => block.kind !== "tool" && isPart(block));
  const only = blocks[0];
  if (only === undefined) return "";
  if (blocks.length === 1 && only.kind === "text") return only.text;
  return blocks
    .sort((a, b) => a.index - b.index)
    .map((block) => (block.kind === "text" ? toTextPart(block) : toReasoningPart(block, message.model)));
}

/** Only if text follows a tool call: in every other message the body has the streamed order. */
function listSegments(message: OpenMessage): Segment[] {
  const blocks = message.blocks
    .filter((block) => (block.kind === "tool" ? !block.isVoid : isPart(block)))
    .sort((a, b) => a.index - b.index);
  return blocks.map((block): Segment => {
    if (block.kind === "tool") return { type: "tool-call", toolCallId: block.call.id };
    return { type: block.kind === "text" ? "text" : "reasoning", text: block.text };
  });
}

/** Called with every block of every message: allocates nothing. */
function saysSomethingAfterCall({ blocks }: OpenMessage): boolean {
  let firstCall = Number.POSITIVE_INFINITY;
  for (const block of blocks) if (block.kind === "tool" && !block.isVoid) firstCall = Math.min(firstCall, block.index);
  if (firstCall === Number.POSITIVE_INFINITY) return false;
  for (const block of blocks) if (block.kind !== "tool" && block.index > firstCall && isPart(block)) return true;
  return false;
}

function toTextPart(block: TextBlock): TextPart {
  return { type: "text", text: block.text };
}

function toReasoningPart(block: TextBlock, model: string | undefined): ReasoningPart {
  return {
    type: "reasoning",
    text: block.text,
    ...(block.signature === undefined ? {} : { signature: block.signature }),
    ...(model === undefined ? {} : { model }),
    ...(block.providerData === undefined ? {} : { providerData: block.providerData }),
  };
}

/** A call and the position of its result. */
export interface AnsweredCall {
  slot: ProtocolSlot;
  toolName: string;
  input: JsonValue;
}

/** The protocol message of one result. */
export function toResultDraft(call: AnsweredCall, result: ToolResultRecord): MessageDraft {
  const { output, images = [] } = result;
  const isError = result.isError || (result.state !== undefined && result.state !== "completed");
  if (images.length === 0) return toDraft(call, result.at, output, isError);
  const text: TextPart[] = output === "" ? [] : [{ type: "text", text: output }];
  return toDraft(call, result.at, [...text, ...images], isError);
}

/** Placeholder for a missing result: no provider accepts a call without one. */
export function toMissingResultDraft(call: AnsweredCall, input: { at: number; text: string }): MessageDraft {
  return toDraft(call, input.at, input.text, true);
}

function toDraft({ slot, toolName, input }: AnsweredCall, at: number, result: ToolResultPart["result"], isError: boolean): MessageDraft {
  const part: ToolResultPart = {
    type: "tool-result",
    toolCallId: slot.toolCallId,
    toolName,
    input,
    result,
  };
  if (isError) part.isError = isError;
  return { id: slot.id, position: slot.position, body: { role: "tool", content: [part] }, createdAt: at };
}
