import type { MessageBody, ToolResultPart } from "@skein/contracts";

/** The first place where calls and results do not match. */
export interface PairingProblem {
  problem: "orphaned-tool" | "unanswered-call";
  /** Index of the tool message, or of the assistant message that makes the call. */
  position: number;
  /** Undefined for a tool message without results. */
  toolCallId: string | undefined;
}

/**
 * Checks in one pass that every call has exactly one result, directly after it and in call order. Used by both the repair of a history
 * and the validation of a request. With `ids`, a call whose id is empty or already in one of the sets is a problem, too, because results
 * refer to their call by id. The ids of all calls are added to `callIds`.
 *
 * @returns undefined if there is no problem.
 */
export function findPairingProblem(
  messages: readonly MessageBody[],
  ids?: { callIds: Set<string>; usedIds: ReadonlySet<string> | undefined },
): PairingProblem | undefined {
  const { callIds, usedIds } = ids ?? {};
  for (let position = 0; position < messages.length; position++) {
    const message = messages[position];
    if (message === undefined || message.role === "user" || message.role === "system") continue;
    if (message.role === "tool") return { problem: "orphaned-tool", position, toolCallId: message.content[0]?.toolCallId };
    if (message.toolCalls === undefined) continue;
    const callPosition = position;
    let results: readonly ToolResultPart[] = [];
    let next = 0;
    for (const { id } of message.toolCalls) {
      if (next === results.length) {
        const following = messages[++position];
        if (following?.role !== "tool") return { problem: "unanswered-call", position: callPosition, toolCallId: id };
        results = following.content;
        next = 0;
      }
      const toolCallId = results[next++]?.toolCallId;
      if (toolCallId !== id) return { problem: "orphaned-tool", position, toolCallId };
      if (callIds === undefined) continue;
      const count = callIds.size;
      if (id === "" || callIds.add(id).size === count || usedIds?.has(id))
        return { problem: "unanswered-call", position: callPosition, toolCallId };
    }
    if (next < results.length) return { problem: "orphaned-tool", position, toolCallId: results[next]?.toolCallId };
  }
  return undefined;
}
