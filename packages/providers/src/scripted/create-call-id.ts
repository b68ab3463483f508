import type { ConversationPosition } from "./conversation-position.ts";

/**
 * The same request gives the same id. A summary removes user messages, so a later turn may reach a number that is already used: then the
 * next free one is taken, because otherwise two calls would share one result.
 */
export function createCallId(position: ConversationPosition, index: number): string {
  for (let turn = position.turn; ; turn++) {
    const id = `call_t${turn}_s${position.step}_${index}`;
    if (!position.callIds.has(id)) return id;
  }
}
