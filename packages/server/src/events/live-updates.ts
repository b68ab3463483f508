import type { AttemptId, ConversationMessage, Delivery, TaskId } from "@skein/contracts";
import type { EventHub } from "./event-hub.ts";

const flushEveryMs = 40;

/** The uncommitted conversation messages of one execution: the newest revision of each, in order of appearance. */
export interface LiveUpdates {
  /** `canWait` updates are batched and sent a few times a second. */
  show(messages: readonly ConversationMessage[], options: { canWait: boolean }): void;
  /** Sends batched updates now. */
  flush(): void;
  messages(): ConversationMessage[];
  deliveries(): Delivery[];
  /** Drops messages that are now committed and sent as sequenced events. Newer revisions stay live. */
  forget(committed: readonly ConversationMessage[]): void;
  clear(): void;
}

/**
 * New messages are sent at once, so that a card is seen running however short its tool is. Growing messages are sent a few times a
 * second, so that the load on the browser does not depend on the speed of the agent.
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
        // keeps the order: earlier changes are sent first
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
