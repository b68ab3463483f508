import type { ConversationMessage, Delivery, MessageGrowth, MessageReference, SkeinEvent } from "@skein/contracts";

/** The event that carries a conversation message. */
export type MessageAdded = Extract<SkeinEvent, { type: "message:added" }>;

/**
 * What one connection has shown of messages that will be sent again: live updates, which are repeated when they are committed, and
 * growing texts. Server and client each keep one per connection, by the same rules, so that the server can send a reference
 * (`message:committed`) or only the added text (`message:grown`). Messages are identified by attempt, id and revision. A new connection
 * starts empty and gets complete messages.
 */
export class ShownMessages {
  /** The newest live update of each message, until it is committed. */
  readonly #live = new Map<string, MessageAdded>();
  readonly #growing = new Map<string, ConversationMessage>();

  /** Must be called, in order, with every delivery that is sent or received, complete or as growth. */
  add({ seq, event }: Delivery): void {
    if (event.type !== "message:added") return;
    const key = toKey(event.attemptId, event.message.id);
    if (seq === undefined) this.#live.set(key, event);
    else this.#live.delete(key);
    if (canGrow(event.message)) this.#growing.set(key, event.message);
    else this.#growing.delete(key);
  }

  /**
   * The live update that showed this revision, or a newer one; undefined if none did. Both sides must call it for a message that is sent
   * by reference.
   */
  takeCommitted({ attemptId, messageId, revision }: MessageReference): MessageAdded | undefined {
    const key = toKey(attemptId, messageId);
    const event = this.#live.get(key);
    if (event === undefined || event.message.revision < revision) return undefined;
    if (event.message.revision === revision) this.#live.delete(key);
    return event;
  }

  /** For the server: the text added to a message; undefined if it has to be sent completely. */
  toGrowth({ taskId, attemptId, message }: MessageAdded): MessageGrowth | undefined {
    const before = this.#growing.get(toKey(attemptId, message.id));
    if (before === undefined || message.revision <= before.revision || !message.content.startsWith(before.content)) return undefined;
    const { content, ...rest } = message;
    return { taskId, attemptId, from: before.revision, append: content.slice(before.content.length), message: rest };
  }

  /** For the client: the complete message; undefined if it does not match what is known, and the client has to reconnect. */
  fromGrowth({ taskId, attemptId, from, append, message }: MessageGrowth): MessageAdded | undefined {
    const before = this.#growing.get(toKey(attemptId, message.id));
    if (before === undefined || before.revision !== from) return undefined;
    return { type: "message:added", taskId, attemptId, message: { ...message, content: before.content + append } as ConversationMessage };
  }
}

function toKey(attemptId: string, messageId: string): string {
  return `${attemptId} ${messageId}`;
}

function canGrow(message: ConversationMessage): boolean {
  return (message.messageType === "text" || message.messageType === "thinking") && message.metadata?.streaming === true;
}
