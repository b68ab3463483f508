import type { AttemptId, ConversationMessage, Delivery, TaskId } from "@skein/contracts";
import type { EventHub } from "./event-hub.ts";

const flushEveryMs = 40;

/** What is shown of one execution before it is committed: the newest revision of each message, in order of appearance. */
export interface LiveUpdates {
  /** What `canWait` is sent with the next of its kind, a few times a second. */
  show(messages: readonly ConversationMessage[], options: { canWait: boolean }): void;
  /** Sends now what waits. */
  flush(): void;
  messages(): ConversationMessage[];
  deliveries(): Delivery[];
  /** These are committed now, and told by sequenced events; what has changed since is still live. */
  forget(committed: readonly ConversationMessage[]): void;
  clear(): void;
}

/**
 * What is new is sent at once, so that a card is seen running however short its tool is. What grows is sent a few times a
 * second: a text that grows by ten words a second and one that grows by a thousand cost the browser about the same.
 */
export function createLiveUpdates(input: { hub: EventHub; taskId: TaskId; attemptId: AttemptId }): LiveUpdates {
  const shown = new Map<string, ConversationMessage>();
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const toDelivery = (message: ConversationMessage): Delivery => ({
    event: { type: "message:added", taskId: input.taskId, attemptId: input.attemptId, message },
  });
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const id of waiting) {
      const message = shown.get(id);
      if (message !== undefined) input.hub.publish(toDelivery(message));
    }
    waiting.clear();
  };

  return {
    show(messages, { canWait }) {
      for (const message of messages) {
        const before = shown.get(message.id);
        if (before === message) continue;
        const isNew = before === undefined;
        shown.set(message.id, message);
        waiting.add(message.id);
        // in order: what changed before it goes out before it
        if (isNew || !canWait) flush();
      }
      if (waiting.size > 0) timer ??= setTimeout(flush, flushEveryMs);
    },
    flush,
    messages: () => [...shown.values()],
    deliveries: () => [...shown.values()].map(toDelivery),
    forget(committed) {
      for (const { id, revision } of committed) {
        const message = shown.get(id);
        if (message === undefined || message.revision > revision) continue;
        shown.delete(id);
        waiting.delete(id);
      }
    },
    clear() {
      clearTimeout(timer);
      timer = undefined;
      waiting.clear();
      shown.clear();
    },
  };
}
