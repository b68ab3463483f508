import type { AssistantMessage, MessageBody, ToolMessage, ToolResultPart } from "@skein/contracts";
import { findPairingProblem } from "../pairing/find-pairing-problem.ts";
import { type PairedBlock, type PairedCall, pairHistory } from "../pairing/pair-history.ts";
import { toMissingResult } from "./missing-result.ts";
import type { PairRepair } from "./pair-repair.ts";

/** What `fixToolPairs` returns. */
export interface RepairedHistory {
  /** The same array if nothing was wrong; unchanged messages are the same objects. */
  messages: readonly MessageBody[];
  repairs: PairRepair[];
  /** The ids of all calls in `messages`. */
  callIds: Set<string>;
}

type OnRepair = (repair: PairRepair, message: MessageBody) => void;

/**
 * Step 3: gives every call exactly one result, directly after it, in call order, under an id that no earlier call has. A result
 * without its call is dropped; a call without a result gets an error result. Repairing twice changes nothing more, and
 * appending complete messages leaves everything before them as it was, so a longer history begins with the same bytes.
 *
 * `usedIds` are the ids of calls that come before `messages`. `onRepair` also gets the message that each repair is about.
 */
export function fixToolPairs(
  messages: readonly MessageBody[],
  { usedIds, onRepair }: { usedIds?: ReadonlySet<string>; onRepair?: OnRepair } = {},
): RepairedHistory {
  const callIds = new Set<string>();
  if (findPairingProblem(messages, { callIds, usedIds }) === undefined) return { messages, repairs: [], callIds };
  const { blocks, unpaired } = pairHistory(messages);
  const repairs: PairRepair[] = [];
  const report: OnRepair = (repair, message) => {
    repairs.push(repair);
    onRepair?.(repair, message);
  };
  for (const { part, message } of unpaired) report({ type: "dropped-result", toolCallId: part.toolCallId }, message);
  const repaired: MessageBody[] = [];
  callIds.clear();
  for (const block of blocks) {
    for (const message of block.results) if (message.content.length === 0) report({ type: "dropped-empty-message" }, message);
    if (block.head === undefined) continue;
    if (block.head.role !== "assistant" || block.calls.length === 0) {
      repaired.push(block.head);
      continue;
    }
    const ids = block.calls.map(({ call }) => claimId(call.id, { callIds, usedIds }));
    repaired.push(renameCalls(block.head, ids), ...repairResults(block, block.head, { ids, report }));
  }
  return { messages: repaired, repairs, callIds };
}

/** Providers reject empty and repeated ids: such an id gets a number as suffix. */
function claimId(id: string, { callIds, usedIds }: { callIds: Set<string>; usedIds: ReadonlySet<string> | undefined }): string {
  const base = id === "" ? "call" : id;
  let free = base;
  for (let number = 2; callIds.has(free) || usedIds?.has(free); number++) free = `${base}_${number}`;
  callIds.add(free);
  return free;
}

function renameCalls(message: AssistantMessage, ids: readonly string[]): AssistantMessage {
  const calls = message.toolCalls ?? [];
  if (calls.every((call, i) => call.id === ids[i])) return message;
  return { ...message, toolCalls: calls.map((call, i) => ({ ...call, id: ids[i] ?? call.id })) };
}

function repairResults(
  block: PairedBlock,
  head: AssistantMessage,
  { ids, report }: { ids: readonly string[]; report: OnRepair },
): readonly ToolMessage[] {
  let reached = -1;
  const parts = block.calls.map(({ call, answer }, i) => {
    const toolCallId = ids[i] ?? call.id;
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

/** Results of one message stay in one message if they are still adjacent. */
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
