import type { ConversationPosition } from "./conversation-position.ts";

/**
 * The same request gives the same id. A summary takes user messages away, so that a later turn may count to a number
 * that was used before: then the next free one is taken, or two calls would share one result.
 */
export function createCallId(position: ConversationPosition, index: number): string {
  for (let turn = position.turn; ; turn++) {
    const id = `call_t${turn}_s${position.step}_${index}`;
    if (!position.callIds.has(id)) return id;
  }
}
