import type { AssistantMessage, MessageBody } from "@skein/contracts";

/**
 * The ids of all calls of a history in which nothing is to repair: every call is answered once, directly after it, in call
 * order, under an id that `ids` did not have; it has them afterwards. For every other history undefined, and `ids` is as it
 * was. Most histories are right, so this one look at each message is what building a request costs.
 */
export function claimCallIds(messages: readonly MessageBody[], ids: Set<string>): string[] | undefined {
  const claimed: string[] = [];
  if (claimAll(messages, ids, claimed)) return claimed;
  for (const id of claimed) ids.delete(id);
  return undefined;
}

function claimAll(messages: readonly MessageBody[], ids: Set<string>, claimed: string[]): boolean {
  let position = 0;
  while (position < messages.length) {
    const message = messages[position++];
    if (message?.role === "tool") return false;
    if (message?.role !== "assistant" || message.toolCalls === undefined) continue;
    for (const { id } of message.toolCalls) {
      const before = ids.size;
      if (id === "" || ids.add(id).size === before) return false;
      claimed.push(id);
    }
    position = skipAnswers(messages, position, message);
    if (position < 0) return false;
  }
  return true;
}

/** The position behind the answers to these calls; negative when they are not what directly follows. */
function skipAnswers(messages: readonly MessageBody[], start: number, { toolCalls = [] }: AssistantMessage): number {
  let answered = 0;
  let position = start;
  while (answered < toolCalls.length) {
    const message = messages[position++];
    if (message?.role !== "tool" || message.content.length === 0) return -1;
    for (const { toolCallId } of message.content) if (toolCalls[answered++]?.id !== toolCallId) return -1;
  }
  return position;
}
