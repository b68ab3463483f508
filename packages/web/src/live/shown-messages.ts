import type { MessageReference, SkeinEvent } from "@skein/contracts";
import type { Delivery } from "./event-stream.ts";

/** What one connection has shown live and not yet told as committed: the server then names it, and does not send it again. */
export interface ShownMessages {
  add(delivery: Delivery): void;
  /** The event that showed this message, or a newer state of it. */
  take(reference: MessageReference): SkeinEvent | undefined;
}

export function createShownMessages(): ShownMessages {
  const shown = new Map<string, Extract<SkeinEvent, { type: "message:added" }>>();
  return {
    add({ seq, event }) {
      if (event.type !== "message:added") return;
      if (seq === undefined) shown.set(event.message.id, event);
      else shown.delete(event.message.id);
    },
    take({ messageId, revision }) {
      const event = shown.get(messageId);
      if (event !== undefined && event.message.revision <= revision) shown.delete(messageId);
      return event;
    },
  };
}
