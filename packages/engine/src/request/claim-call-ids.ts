import type { AssistantMessage, MessageBody } from "@skein/contracts";

/**
 * True for a history in which nothing is to repair: every call is answered once, directly after it, in call order, under an
 * id that `ids` did not have; it has them afterwards. For every other history false, and `ids` is as it was. Most histories
 * are right, so this one look at each message is what building a request costs.
 */
export function claimCallIds(messages: readonly MessageBody[], ids: Set<string>): boolean {
  const before = ids.size;
  for (let position = 0; position < messages.length; ) {
    const message = messages[position++];
    if (message === undefined || message.role === "user" || message.role === "system") continue;
    if (message.role === "assistant") {
      if (message.toolCalls === undefined) continue;
      position = claimAnswered(messages, position, message.toolCalls, ids);
      if (position > 0) continue;
    }
    releaseFirst(messages, ids.size - before, ids);
    return false;
  }
  return true;
}

/** Takes the ids of all calls back. */
export function releaseCallIds(messages: readonly MessageBody[], ids: Set<string>): void {
  for (const message of messages) {
    if (message.role === "assistant") for (const { id } of message.toolCalls ?? []) ids.delete(id);
  }
}

/** The position behind the answers to these calls; -1 when they are not what directly follows, or an id is taken. */
function claimAnswered(
  messages: readonly MessageBody[],
  start: number,
  calls: NonNullable<AssistantMessage["toolCalls"]>,
  ids: Set<string>,
): number {
  let position = start;
  let results: MessageBody["content"] = [];
  let place = 0;
  for (const { id } of calls) {
    const size = ids.size;
    if (id === "" || ids.add(id).size === size) return -1;
    if (place === results.length) {
      const message = messages[position++];
      if (message?.role !== "tool" || message.content.length === 0) return -1;
      results = message.content;
      place = 0;
    }
    const result = results[place++];
    if (typeof result !== "object" || result.type !== "tool-result" || result.toolCallId !== id) return -1;
  }
  return place === results.length ? position : -1;
}

/** The first ids that were claimed: each of them was new, or nothing after it was claimed. */
function releaseFirst(messages: readonly MessageBody[], count: number, ids: Set<string>): void {
  let left = count;
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    for (const { id } of message.toolCalls ?? []) {
      if (left-- <= 0) return;
      ids.delete(id);
    }
  }
}
