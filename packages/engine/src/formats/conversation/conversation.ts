import type { AssistantMessage, ImagePart, MessageBody, ReasoningPart, TextPart, ToolCall, ToolResultPart } from "@skein/contracts";
import { isWellFormedReasoning } from "./reasoning.ts";

export interface ToolStep {
  call: ToolCall;
  result: ToolResultPart;
}

/** `isSeparate`: a summary of earlier messages, which quotes tool output. It is never joined with the user's own words (R2). */
export type UserPart = (TextPart & { isSeparate?: true }) | ImagePart;
export type UserTurn = { role: "user"; parts: UserPart[] };
export type AssistantTurn = { role: "assistant"; parts: (TextPart | ReasoningPart)[]; steps: ToolStep[] };

/**
 * A history in the strict form that every provider accepts: it begins and ends with a user turn (tool results count as one), turns
 * alternate, no text is blank, and no string contains a lone surrogate.
 */
export interface Conversation {
  /** The system prompt; empty if there is none. */
  system: string;
  turns: (UserTurn | AssistantTurn)[];
}

export interface ConversationOptions {
  /** The model whose reasoning is sent back. */
  keepsReasoning(part: ReasoningPart): boolean;
}

const summaryStart = "[Previous conversation summary";

/**
 * A placeholder rather than nothing: a request must not begin or end with an assistant message, and dropping a message would merge its
 * neighbours, so that a longer history would no longer start with the same bytes.
 */
export const fillers = {
  start: "[The beginning of this conversation is not included.]",
  end: "Continue.",
  emptyMessage: "[empty message]",
  noOutput: "(no output)",
};

/** Input: the request builder's output. The conversion of a message never depends on later ones. */
export function toConversation(messages: readonly MessageBody[], options: ConversationOptions): Conversation {
  const start = messages.findIndex((message) => message.role !== "system" || message.content.startsWith(summaryStart));
  const rest = start === -1 ? [] : messages.slice(start);
  const prompts = messages.slice(0, start === -1 ? messages.length : start).map((message) => textOf(message));
  const turns: Conversation["turns"] = [];
  rest.forEach((message, position) => {
    switch (message.role) {
      case "system":
        // Summaries of earlier messages, and system messages of other programs: providers accept a system prompt only at the start.
        addUserParts(
          turns,
          toUserParts(message.content).map((part) => (part.type === "text" ? { ...part, isSeparate: true } : part)),
        );
        break;
      case "user":
        addUserParts(turns, toUserParts(message.content));
        break;
      case "assistant":
        addAssistant(turns, message, { results: resultsAfter(rest, position), keepsReasoning: options.keepsReasoning });
        break;
      case "tool":
        break;
    }
  });
  const last = turns.at(-1);
  if (last === undefined || (last.role === "assistant" && last.steps.length === 0)) addUserParts(turns, [text(fillers.end)]);
  return { system: prompts.filter((prompt) => prompt.trim() !== "").join("\n\n"), turns };
}

function text(value: string): TextPart {
  return { type: "text", text: value };
}

function textOf(message: MessageBody): string {
  return typeof message.content === "string" ? message.content.toWellFormed() : "";
}

function toUserParts(content: string | (TextPart | ImagePart)[]): (TextPart | ImagePart)[] {
  const parts = (typeof content === "string" ? [text(content)] : content)
    .map((part) => (part.type === "text" ? text(part.text.toWellFormed()) : part))
    .filter((part) => part.type === "image" || part.text.trim() !== "");
  return parts.length === 0 ? [text(fillers.emptyMessage)] : parts;
}

function addUserParts(turns: Conversation["turns"], parts: UserPart[]): void {
  const last = turns.at(-1);
  if (last?.role === "user") last.parts.push(...parts);
  else turns.push({ role: "user", parts: [...parts] });
}

function addAssistant(
  turns: Conversation["turns"],
  message: AssistantMessage,
  { results, keepsReasoning }: ConversationOptions & { results: readonly ToolResultPart[] },
): void {
  const steps = (message.toolCalls ?? []).flatMap((call): ToolStep[] => {
    const result = results.find((part) => part.toolCallId === call.id);
    return result === undefined ? [] : [{ call, result }];
  });
  const content = typeof message.content === "string" ? [text(message.content)] : message.content;
  const parts = content
    .map((part) => (part.type === "text" ? text(part.text.toWellFormed()) : part))
    .filter((part) => (part.type === "text" ? part.text.trim() !== "" : keepsReasoning(part) && isWellFormedReasoning(part)));
  // Reasoning without an answer: every provider requires content after it.
  while (steps.length === 0 && parts.at(-1)?.type === "reasoning") parts.pop();
  if (parts.length === 0 && steps.length === 0) return;
  if (turns.length === 0) addUserParts(turns, [text(fillers.start)]);
  const last = turns.at(-1);
  if (last?.role === "assistant" && last.steps.length === 0) {
    last.parts.push(...parts);
    last.steps.push(...steps);
  } else turns.push({ role: "assistant", parts, steps });
}

function resultsAfter(messages: readonly MessageBody[], position: number): ToolResultPart[] {
  const results: ToolResultPart[] = [];
  for (let next = position + 1; next < messages.length; next++) {
    const message = messages[next];
    if (message?.role !== "tool") break;
    results.push(...message.content);
  }
  return results;
}
