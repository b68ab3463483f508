import type { MessageBody, ToolCall, ToolResultPart } from "@skein/contracts";
import { ToolPairing } from "./tool-pairing.ts";

/** A call of a history and the result that answers it. */
export interface PairedCall {
  call: ToolCall;
  /** Undefined when no result answers it. */
  answer: { part: ToolResultPart; message: MessageBody } | undefined;
}

export interface PairedHistory {
  /** For each message, its calls in order; empty for messages that make none. */
  calls: PairedCall[][];
  /** Results that answer no call, or one that has its answer. */
  unpaired: ToolResultPart[];
}

/** Pairs the calls and results of a whole history by id, and by position where an id is used more than once or is empty. */
export function pairHistory(messages: readonly MessageBody[]): PairedHistory {
  const pairing = new ToolPairing<number, { part: ToolResultPart; message: MessageBody }>();
  const byNumber: PairedCall[] = [];
  const used = new Set<ToolResultPart>();
  const answer = (paired: PairedCall | undefined, result: PairedCall["answer"]): void => {
    if (paired === undefined || result === undefined) return;
    paired.answer = result;
    used.add(result.part);
  };
  const calls = messages.map((message) => {
    if (message.role === "tool") {
      for (const part of message.content) {
        const outcome = pairing.addResult(part.toolCallId, { part, message });
        if (outcome.type === "paired") answer(byNumber[outcome.use], { part, message });
      }
    }
    if (message.role !== "assistant") return [];
    return (message.toolCalls ?? []).map((call) => {
      const paired: PairedCall = { call, answer: undefined };
      byNumber.push(paired);
      answer(paired, pairing.addUse(call.id, byNumber.length - 1));
      return paired;
    });
  });
  const unpaired = messages.flatMap((message) => (message.role === "tool" ? message.content.filter((part) => !used.has(part)) : []));
  return { calls, unpaired };
}
