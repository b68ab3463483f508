import type { JsonValue, MessageBody, ToolResultPart } from "@skein/contracts";
import {
  type ForeignPart,
  fromSingleToolMessage,
  isImagePart,
  type SingleToolMessage,
  toContentParts,
  toToolResult,
} from "@skein/contracts/foreign-message";

/** A tool result inside a user message, from before there was a tool role. */
export interface UserToolResultPart {
  type: "tool_result";
  id: string;
  name: string;
  input: JsonValue;
  result: JsonValue;
  isError?: boolean;
}

/** A user message whose parts may be in another program's format. */
export interface ForeignUserMessage {
  role: "user";
  content: readonly (UserToolResultPart | ForeignPart)[];
}

/** Other programs omit the content of an assistant message that only calls tools. */
export type BareAssistantMessage = Omit<Extract<MessageBody, { role: "assistant" }>, "content"> & { content?: null };

/** Every form of a message that requests can be built from. */
export type AcceptedMessage = MessageBody | SingleToolMessage | ForeignUserMessage | BareAssistantMessage;

/**
 * Converts every accepted form to Skein's own. A body that already has it is returned unchanged. A user message that mixes results with
 * text becomes a tool message and a user message.
 */
export function normalizeMessage(message: AcceptedMessage): MessageBody[] {
  switch (message.role) {
    case "tool":
      return [fromSingleToolMessage(message) as MessageBody];
    case "assistant":
      return [
        typeof message.content === "string" || Array.isArray(message.content) ? (message as MessageBody) : { ...message, content: "" },
      ];
    case "user":
      return isSpokenContent(message.content) ? [message as MessageBody] : fromForeignUserMessage(message as ForeignUserMessage);
    case "system":
      return [message];
  }
}

function isSpokenContent(content: unknown): boolean {
  if (!Array.isArray(content)) return true;
  return content.every((part: ForeignPart) => (part.type === "text" && typeof part.text === "string") || isImagePart(part));
}

function isResult(part: UserToolResultPart | ForeignPart): part is UserToolResultPart {
  return part.type === "tool_result";
}

function fromForeignUserMessage({ content }: ForeignUserMessage): MessageBody[] {
  const results = content.filter(isResult).map(toToolResultPart);
  const rest = toContentParts(content.filter((part) => !isResult(part)) as ForeignPart[]);
  return [
    ...(results.length === 0 ? [] : [{ role: "tool" as const, content: results }]),
    ...(rest.length === 0 ? [] : [{ role: "user" as const, content: rest }]),
  ];
}

function toToolResultPart({ id, name, input, result, isError }: UserToolResultPart): ToolResultPart {
  return {
    type: "tool-result",
    toolCallId: id,
    toolName: name,
    input,
    ...toToolResult(result),
    ...(isError === undefined ? {} : { isError }),
  };
}
