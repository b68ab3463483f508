import type { ImagePart, JsonValue, MessageBody, TextPart, ToolResultPart } from "@skein/contracts";

/** A tool message as other programs store it: one result as text. */
export interface SingleToolMessage {
  role: "tool";
  toolCallId: string;
  content: string;
  toolName?: string;
  isError?: boolean;
}

/** A tool result inside a user message, as it was spoken before there was a tool role. */
export interface UserToolResultPart {
  type: "tool_result";
  id: string;
  name: string;
  input: JsonValue;
  result: JsonValue;
  isError?: boolean;
}

export interface UserToolMessage {
  role: "user";
  content: (UserToolResultPart | TextPart | ImagePart)[];
}

/** Other programs leave out the content of an assistant message that only calls tools. */
export type BareAssistantMessage = Omit<Extract<MessageBody, { role: "assistant" }>, "content"> & { content?: null };

export type AcceptedMessage = MessageBody | SingleToolMessage | UserToolMessage | BareAssistantMessage;

/**
 * Turns every accepted form into the one that is spoken. A body that is already in that form is returned as it is.
 * A user message that mixes results with text becomes a tool message and a user message.
 */
export function normalizeMessage(message: AcceptedMessage): MessageBody[] {
  switch (message.role) {
    case "tool":
      return [typeof message.content === "string" ? fromSingleToolMessage(message as SingleToolMessage) : (message as MessageBody)];
    case "assistant":
      return [
        typeof message.content === "string" || Array.isArray(message.content) ? (message as MessageBody) : { ...message, content: "" },
      ];
    case "user":
      return hasToolResults(message) ? fromUserToolMessage(message) : [message as MessageBody];
    case "system":
      return [message];
  }
}

function fromSingleToolMessage({ toolCallId, toolName, content, isError }: SingleToolMessage): MessageBody {
  const part: ToolResultPart = {
    type: "tool-result",
    toolCallId,
    toolName: toolName ?? "",
    input: null,
    result: content,
    ...(isError === undefined ? {} : { isError }),
  };
  return { role: "tool", content: [part] };
}

function hasToolResults(message: { content: unknown }): message is UserToolMessage {
  return Array.isArray(message.content) && message.content.some((part) => part.type === "tool_result");
}

function fromUserToolMessage({ content }: UserToolMessage): MessageBody[] {
  const results: ToolResultPart[] = [];
  const rest: (TextPart | ImagePart)[] = [];
  for (const part of content) {
    if (part.type !== "tool_result") rest.push(part);
    else results.push(toToolResultPart(part));
  }
  const toolMessage: MessageBody = { role: "tool", content: results };
  return rest.length === 0 ? [toolMessage] : [toolMessage, { role: "user", content: rest }];
}

export function toToolResultPart({ id, name, input, result, isError }: UserToolResultPart): ToolResultPart {
  return {
    type: "tool-result",
    toolCallId: id,
    toolName: name,
    input,
    result: typeof result === "string" ? result : JSON.stringify(result),
    ...(isError === undefined ? {} : { isError }),
  };
}
