import type { MessageGrowth, MessageReference } from "@skein/contracts";
import type { Delivery } from "@skein/engine";
import { GrowingMessages, type MessageAdded } from "@skein/engine";

/** Messages that one connection has sent live and not yet reported as committed: the server then sends a reference instead of the message. */
export interface ShownMessages {
  add(delivery: Delivery): void;
  /** The event that showed this message, or a newer state of it. */
  take(reference: MessageReference): MessageAdded | undefined;
  /** The message with what was added to it; undefined when this connection does not know what it was added to. */
  grow(growth: MessageGrowth): MessageAdded | undefined;
}

export function createShownMessages(): ShownMessages {
  const shown = new Map<string, MessageAdded>();
  const growing = new GrowingMessages();
  return {
    add({ seq, event }) {
      if (event.type !== "message:added") return;
      growing.note(event);
      const key = `${event.attemptId} ${event.message.id}`;
      if (seq === undefined) shown.set(key, event);
      else shown.delete(key);
    },
    take({ attemptId, messageId, revision }) {
      const key = `${attemptId} ${messageId}`;
      const event = shown.get(key);
      if (event !== undefined && event.message.revision <= revision) shown.delete(key);
      return event;
    },
    grow: (growth) => growing.apply(growth),
  };
}
