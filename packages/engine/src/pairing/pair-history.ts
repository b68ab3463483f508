import type { MessageBody, ToolCall, ToolMessage, ToolResultPart } from "@skein/contracts";
import { ToolPairing } from "./tool-pairing.ts";

/** A call of a history and its result. */
export interface PairedCall {
  call: ToolCall;
  /** Undefined if there is no result. */
  answer: PlacedResult | undefined;
}

/** A result and its position in the history. */
export interface PlacedResult {
  part: ToolResultPart;
  message: ToolMessage;
  block: PairedBlock;
  /** Index among the results of its block. The same object may occur several times. */
  order: number;
}

/** A message and the tool messages that directly follow it. */
export interface PairedBlock {
  /** Undefined if a history begins with tool messages. */
  head: Exclude<MessageBody, ToolMessage> | undefined;
  /** The head's calls, in order; empty if it has none. */
  calls: PairedCall[];
  results: ToolMessage[];
}

/** A history in blocks, with its unpaired results. */
export interface PairedHistory {
  blocks: PairedBlock[];
  /** Results without a call, or for a call that already has one. */
  unpaired: PlacedResult[];
}

/**
 * Pairs the calls and results of a whole history. Position takes precedence: a call is answered by what directly follows it, by id or, if
 * one of them has none, by order; ids may be reused in every turn. The rest is paired by id, the first open call first. A result waits
 * for its call until the next user message.
 */
export function pairHistory(messages: readonly MessageBody[]): PairedHistory {
  const blocks = toBlocks(messages);
  const pairing = new ToolPairing<number, PlacedResult>();
  const strayCalls: PairedCall[] = [];
  const strays: PlacedResult[] = [];
  const answering = new Set<PlacedResult>();
  const answer = (paired: PairedCall | undefined, result: PlacedResult): void => {
    if (paired === undefined) return;
    paired.answer = result;
    answering.add(result);
  };
  for (const block of blocks) {
    if (block.head?.role === "user") pairing.forgetWaiting();
    const rest = pairWithinBlock(block);
    for (const paired of block.calls) {
      if (paired.answer !== undefined) {
        pairing.end(paired.call.id, -1);
        continue;
      }
      const early = pairing.addUse(paired.call.id, strayCalls.length);
      strayCalls.push(paired);
      if (early !== undefined) answer(paired, early);
    }
    for (const result of rest) {
      strays.push(result);
      const outcome = pairing.addResult(result.part.toolCallId, result);
      if (outcome.type === "paired") answer(strayCalls[outcome.use], result);
    }
  }
  return { blocks, unpaired: strays.filter((stray) => !answering.has(stray)) };
}

function toBlocks(messages: readonly MessageBody[]): PairedBlock[] {
  const blocks: PairedBlock[] = [];
  for (const message of messages) {
    if (message.role !== "tool") {
      const calls = message.role === "assistant" ? (message.toolCalls ?? []) : [];
      blocks.push({ head: message, calls: calls.map((call) => ({ call, answer: undefined })), results: [] });
      continue;
    }
    if (blocks.length === 0) blocks.push({ head: undefined, calls: [], results: [] });
    blocks.at(-1)?.results.push(message);
  }
  return blocks;
}

/** Returns the results that belong to no call of the block. */
function pairWithinBlock(block: PairedBlock): PlacedResult[] {
  const { calls, results } = block;
  const parts = results.flatMap((message) => message.content.map((part) => ({ part, message })));
  const placed: PlacedResult[] = parts.map((one, order) => ({ ...one, block, order }));
  const take = (fits: (call: ToolCall, part: ToolResultPart) => boolean) => (result: PlacedResult) => {
    const open = calls.find(({ call, answer }) => answer === undefined && fits(call, result.part));
    if (open !== undefined) open.answer = result;
    return open === undefined;
  };
  return placed
    .filter(take((call, part) => call.id === part.toolCallId))
    .filter(take((call, part) => call.id === "" || part.toolCallId === ""));
}
