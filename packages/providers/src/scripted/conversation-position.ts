import type { AssistantMessage, MessageBody, ToolResultPart } from "@skein/contracts";

/** The position of a request in its conversation; scripted models depend on nothing else. */
export interface ConversationPosition {
  /** Number of the last user message, from 1. */
  turn: number;
  /** Assistant messages since then. */
  step: number;
  /** The last user message's text. */
  message: string;
  continued: boolean;
  /** Results since the last user message, in call order. */
  results: readonly ToolResultPart[];
  callIds: ReadonlySet<string>;
}

/** How the request builder begins the message that replaces older ones. */
const summaryStart = "[Previous conversation summary";

export function toConversationPosition(messages: readonly MessageBody[]): ConversationPosition {
  const lastUser = messages.findLastIndex((message) => message.role === "user");
  const since = messages.slice(lastUser + 1);
  const assistants = messages.filter((message): message is AssistantMessage => message.role === "assistant");
  const step = since.filter((message) => message.role === "assistant").length;
  return {
    turn: messages.filter((message) => message.role === "user").length,
    step,
    message: lastUser === -1 ? "" : textOf(messages[lastUser]),
    continued: assistants.length > step || messages.some((message) => textOf(message).startsWith(summaryStart)),
    results: since.flatMap((message) => (message.role === "tool" ? message.content : [])),
    callIds: new Set(assistants.flatMap((message) => message.toolCalls?.map((call) => call.id) ?? [])),
  };
}

function textOf(message: MessageBody | undefined): string {
  if (message === undefined || message.role === "tool") return "";
  if (typeof message.content === "string") return message.content;
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
