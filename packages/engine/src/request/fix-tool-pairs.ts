import type { AssistantMessage, JsonValue, MessageBody, ToolMessage, ToolResultPart } from "@skein/contracts";
import { type PairedCall, pairHistory } from "../pairing/pair-history.ts";

export type PairRepair =
  | { type: "dropped-result"; toolCallId: string }
  | { type: "added-result"; toolCallId: string }
  | { type: "moved-results"; position: number }
  | { type: "renamed-call"; toolCallId: string; from: string };

export interface RepairedHistory {
  /** The same array when nothing was wrong; messages that were right are the same objects. */
  messages: readonly MessageBody[];
  repairs: PairRepair[];
}

export const missingResultText = "No result: the tool call was interrupted. The tool may have run.";

/**
 * Makes every call answered once, directly after it, in call order, under an id that no earlier call has. What is right
 * stays as it is, so that repairing twice changes nothing more, and what was repaired never depends on what follows it
 * but for its results: a longer history begins with the same bytes.
 */
export function fixToolPairs(messages: readonly MessageBody[]): RepairedHistory {
  const { calls, unpaired } = pairHistory(messages);
  const repairs: PairRepair[] = unpaired.map(({ toolCallId }) => ({ type: "dropped-result", toolCallId }));
  const ids = new Set<string>();
  const fixed: MessageBody[] = [];
  messages.forEach((message, position) => {
    if (message.role === "tool") return;
    const paired = calls[position] ?? [];
    if (message.role !== "assistant" || paired.length === 0) {
      fixed.push(message);
      return;
    }
    const names = paired.map(({ call }) => claimId(ids, call.id));
    const assistant = renameCalls(message, names);
    const answers = paired.map((one, i) => toAnswer(one, names[i] ?? one.call.id));
    repairs.push(...listRepairs(paired, names));
    fixed.push(assistant);
    const following = toolMessagesAfter(messages, position);
    if (isSame(following, answers)) {
      fixed.push(...following);
      return;
    }
    if (answers.every((part, i) => part === paired[i]?.answer?.part)) repairs.push({ type: "moved-results", position });
    fixed.push(...regroup(answers, paired));
  });
  const isUnchanged = fixed.length === messages.length && fixed.every((message, i) => message === messages[i]);
  return { messages: isUnchanged ? messages : fixed, repairs: isUnchanged ? [] : repairs };
}

/** An id that an earlier call has, or an empty one, gets a number behind it: providers refuse the same id twice. */
function claimId(ids: Set<string>, id: string): string {
  const base = id === "" ? "call" : id;
  let name = base;
  for (let number = 2; ids.has(name); number++) name = `${base}_${number}`;
  ids.add(name);
  return name;
}

function renameCalls(message: AssistantMessage, names: readonly string[]): AssistantMessage {
  const calls = message.toolCalls ?? [];
  if (calls.every((call, i) => call.id === names[i])) return message;
  return { ...message, toolCalls: calls.map((call, i) => ({ ...call, id: names[i] ?? call.id })) };
}

function toAnswer({ call, answer }: PairedCall, id: string): ToolResultPart {
  if (answer !== undefined) return answer.part.toolCallId === id ? answer.part : { ...answer.part, toolCallId: id };
  return {
    type: "tool-result",
    toolCallId: id,
    toolName: call.function.name,
    input: parseArguments(call.function.arguments),
    result: missingResultText,
    isError: true,
  };
}

function parseArguments(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text; // the model wrote broken JSON: what it wrote is all there is
  }
}

function listRepairs(paired: readonly PairedCall[], names: readonly string[]): PairRepair[] {
  return paired.flatMap(({ call, answer }, i): PairRepair[] => {
    const toolCallId = names[i] ?? call.id;
    return [
      ...(toolCallId === call.id ? [] : [{ type: "renamed-call" as const, toolCallId, from: call.id }]),
      ...(answer === undefined ? [{ type: "added-result" as const, toolCallId }] : []),
    ];
  });
}

function toolMessagesAfter(messages: readonly MessageBody[], position: number): ToolMessage[] {
  const following: ToolMessage[] = [];
  for (let i = position + 1; i < messages.length; i++) {
    const message = messages[i];
    if (message?.role !== "tool") break;
    following.push(message);
  }
  return following;
}

function isSame(following: readonly ToolMessage[], answers: readonly ToolResultPart[]): boolean {
  if (following.some((message) => message.content.length === 0)) return false;
  const parts = following.flatMap((message) => message.content);
  return parts.length === answers.length && parts.every((part, i) => part === answers[i]);
}

/** Results that came in one message stay in one message where they still follow each other. */
function regroup(answers: readonly ToolResultPart[], paired: readonly PairedCall[]): ToolMessage[] {
  const groups: { source: MessageBody | undefined; content: ToolResultPart[] }[] = [];
  answers.forEach((part, i) => {
    const source = paired[i]?.answer?.message;
    const last = groups.at(-1);
    if (last !== undefined && source !== undefined && last.source === source) last.content.push(part);
    else groups.push({ source, content: [part] });
  });
  return groups.map(({ source, content }) =>
    source?.role === "tool" && isSame([source], content) ? source : { ...(source?.role === "tool" ? source : {}), role: "tool", content },
  );
}
