import type { ConversationMessage, MessageGrowth, SkeinEvent } from "@skein/contracts";

export type MessageAdded = Extract<SkeinEvent, { type: "message:added" }>;

/**
 * What one connection was shown of messages that may still grow. Server and client keep it by the same rules, so that a text that
 * grows is sent as what was added to it: a connection that begins anew knows nothing, and gets messages whole.
 */
export class GrowingMessages {
  readonly #known = new Map<string, ConversationMessage>();

  /** To be called with every message of the connection, in order, as it is sent or received. */
  note({ attemptId, message }: MessageAdded): void {
    const key = `${attemptId} ${message.id}`;
    if (canGrow(message)) this.#known.set(key, message);
    else this.#known.delete(key);
  }

  /** Undefined where the message must be sent whole. */
  toGrowth(event: MessageAdded): MessageGrowth | undefined {
    const { taskId, attemptId, message } = event;
    const before = this.#known.get(`${attemptId} ${message.id}`);
    if (before === undefined || message.revision <= before.revision || !message.content.startsWith(before.content)) return undefined;
    const { content, ...rest } = message;
    return { taskId, attemptId, from: before.revision, append: content.slice(before.content.length), message: rest };
  }

  /** Undefined when it does not fit what is known: the connection must begin anew. */
  apply({ taskId, attemptId, from, append, message }: MessageGrowth): MessageAdded | undefined {
    const before = this.#known.get(`${attemptId} ${message.id}`);
    if (before === undefined || before.revision !== from) return undefined;
    return { type: "message:added", taskId, attemptId, message: { ...message, content: before.content + append } as ConversationMessage };
  }
}

function canGrow(message: ConversationMessage): boolean {
  return (message.messageType === "text" || message.messageType === "thinking") && message.metadata?.streaming === true;
}
