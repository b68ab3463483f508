import type { AssistantMessage, MessageBody, ToolMessage, ToolResultPart } from "@skein/contracts";
import { type LooseEnds, type PairedBlock, type PairedCall, pairHistory } from "../pairing/pair-history.ts";
import { claimCallIds } from "./claim-call-ids.ts";
import { toMissingResult } from "./missing-result.ts";

export type PairRepair =
  | { type: "dropped-result"; toolCallId: string }
  | { type: "added-result"; toolCallId: string }
  /** It stood elsewhere, or in another order. */
  | { type: "moved-result"; toolCallId: string }
  | { type: "renamed-call"; toolCallId: string; from: string }
  /** It had no id, or its call had none: it answers the call by its place. */
  | { type: "renamed-result"; toolCallId: string; from: string }
  /** A tool message without a result. */
  | { type: "dropped-empty-message" };

export interface HistoryRepair {
  /** The same array when nothing was wrong; messages that were right are the same objects. */
  messages: readonly MessageBody[];
  repairs: PairRepair[];
  looseEnds: LooseEnds;
}

type Report = (repair: PairRepair, message: MessageBody) => void;

const noLooseEnds: LooseEnds = { calls: [], results: [], waiting: [] };

/**
 * Repairs what follows a history whose calls have the ids `taken`; those of its own calls are added to them. `observe` gets
 * each repair with the message that it changed.
 */
export function repairHistory(
  messages: readonly MessageBody[],
  taken: Set<string>,
  observe?: (repair: PairRepair, message: MessageBody) => void,
): HistoryRepair {
  if (claimCallIds(messages, taken)) return { messages, repairs: [], looseEnds: noLooseEnds };
  const { blocks, unpaired, looseEnds } = pairHistory(messages);
  const repairs: PairRepair[] = [];
  const report: Report = (repair, message) => {
    repairs.push(repair);
    observe?.(repair, message);
  };
  for (const { part, message } of unpaired) report({ type: "dropped-result", toolCallId: part.toolCallId }, message);
  const repaired: MessageBody[] = [];
  for (const block of blocks) {
    for (const message of block.results) if (message.content.length === 0) report({ type: "dropped-empty-message" }, message);
    if (block.head === undefined) continue;
    if (block.head.role !== "assistant" || block.calls.length === 0) {
      repaired.push(block.head);
      continue;
    }
    const names = block.calls.map(({ call }) => claimName(call.id, taken));
    repaired.push(renameCalls(block.head, names), ...repairResults(block, block.head, { names, report }));
  }
  return { messages: repaired, repairs, looseEnds };
}

/** An id that an earlier call has, or an empty one, gets a number behind it: providers refuse the same id twice. */
function claimName(id: string, taken: Set<string>): string {
  const base = id === "" ? "call" : id;
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base}_${number}`;
  taken.add(name);
  return name;
}

function renameCalls(message: AssistantMessage, names: readonly string[]): AssistantMessage {
  const calls = message.toolCalls ?? [];
  if (calls.every((call, i) => call.id === names[i])) return message;
  return { ...message, toolCalls: calls.map((call, i) => ({ ...call, id: names[i] ?? call.id })) };
}

function repairResults(
  block: PairedBlock,
  head: AssistantMessage,
  { names, report }: { names: readonly string[]; report: Report },
): readonly ToolMessage[] {
  let reached = -1;
  const parts = block.calls.map(({ call, answer }, i) => {
    const toolCallId = names[i] ?? call.id;
    if (toolCallId !== call.id) report({ type: "renamed-call", toolCallId, from: call.id }, head);
    if (answer === undefined) {
      report({ type: "added-result", toolCallId }, head);
      return toMissingResult(call, toolCallId);
    }
    if (answer.block !== block || answer.order < reached) report({ type: "moved-result", toolCallId }, answer.message);
    else reached = answer.order;
    const from = answer.part.toolCallId;
    if (from !== call.id) report({ type: "renamed-result", toolCallId, from }, answer.message);
    return from === toolCallId ? answer.part : { ...answer.part, toolCallId };
  });
  return holdSame(block.results, parts) ? block.results : regroup(parts, block.calls);
}

function holdSame(messages: readonly ToolMessage[], parts: readonly ToolResultPart[]): boolean {
  if (messages.some((message) => message.content.length === 0)) return false;
  const held = messages.flatMap((message) => message.content);
  return held.length === parts.length && held.every((part, i) => part === parts[i]);
}

/** Results that came in one message stay in one message where they still follow each other. */
function regroup(parts: readonly ToolResultPart[], calls: readonly PairedCall[]): ToolMessage[] {
  const groups: { source: ToolMessage | undefined; content: ToolResultPart[] }[] = [];
  parts.forEach((part, i) => {
    const source = calls[i]?.answer?.message;
    const last = groups.at(-1);
    if (last !== undefined && source !== undefined && last.source === source) last.content.push(part);
    else groups.push({ source, content: [part] });
  });
  return groups.map(({ source, content }) => {
    if (source === undefined) return { role: "tool", content };
    return holdSame([source], content) ? source : { ...source, content };
  });
}
