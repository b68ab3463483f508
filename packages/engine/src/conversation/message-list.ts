import type { ConversationMessage } from "@skein/contracts";

/** Conversation messages in order, with an index. Lists are immutable: an edit returns a new one that shares every unchanged message. */
export interface MessageList {
  readonly messages: readonly ConversationMessage[];
  /** Ids that a card replaced: a late delivery of them must not bring them back. */
  readonly replaced: ReadonlySet<string>;
  /**
   * Index by id. Related lists share it, because copying it for every event would dominate the cost: so an entry is valid only if the
   * message at that index has that id, and ids are never removed.
   */
  readonly index: Map<string, number>;
}

/** Builds a list from ordered messages, without those that cards replace. */
export function toMessageList(messages: readonly ConversationMessage[]): MessageList {
  const replaced = new Set(messages.flatMap(replacedBy));
  const kept = replaced.size === 0 ? messages : messages.filter((message) => !replaced.has(message.id));
  return { messages: kept, replaced, index: indexOf(kept) };
}

/** The message with this id; undefined if it is not in the list. */
export function findMessage(list: MessageList, id: string): ConversationMessage | undefined {
  const place = findPlace(list.messages, list.index, id);
  return typeof place === "number" ? list.messages[place] : list.messages.find((message) => place === "unsure" && message.id === id);
}

/** Ids of the messages that a card replaces; empty for other messages. */
export function replacedBy(message: ConversationMessage): readonly string[] {
  return message.messageType === "tool_execution" ? (message.metadata.replaces ?? []) : [];
}

/** Applies any number of messages and copies the list once. */
export class MessageListEdit {
  readonly #from: MessageList;
  #messages: ConversationMessage[] | undefined;
  #index: Map<string, number>;
  #replaced: ReadonlySet<string>;

  constructor(from: MessageList) {
    this.#from = from;
    this.#index = from.index;
    this.#replaced = from.replaced;
  }

  get first(): ConversationMessage | undefined {
    return (this.#messages ?? this.#from.messages)[0];
  }

  has(id: string): boolean {
    return this.#replaced.has(id) || this.#find(id) !== undefined;
  }

  /** Appends new messages, replaces known ones by a higher revision, and drops the rest. */
  put(message: ConversationMessage): void {
    if (this.#replaced.has(message.id)) return;
    const place = this.#find(message.id);
    const known = place === undefined ? undefined : (this.#messages ?? this.#from.messages)[place];
    if (known !== undefined && known.revision >= message.revision) return;
    const taken = replacedBy(message);
    const gone = taken.filter((id) => this.#find(id) !== undefined);
    if (taken.some((id) => !this.#replaced.has(id))) this.#replaced = new Set([...this.#replaced, ...taken]);
    const messages = this.#own();
    const [first] = gone;
    const target = place ?? (first === undefined ? messages.length : (this.#find(first) ?? messages.length));
    messages[target] = message;
    if (gone.length === 0) this.#index.set(message.id, target);
    else this.#reset(messages.filter((other, i) => i === target || !this.#replaced.has(other.id)));
  }

  finish(): MessageList {
    if (this.#messages === undefined && this.#replaced === this.#from.replaced) return this.#from;
    return { messages: this.#messages ?? this.#from.messages, replaced: this.#replaced, index: this.#index };
  }

  #own(): ConversationMessage[] {
    this.#messages ??= this.#from.messages.slice();
    return this.#messages;
  }

  #find(id: string): number | undefined {
    const messages = this.#messages ?? this.#from.messages;
    const place = findPlace(messages, this.#index, id);
    if (place !== "unsure") return place;
    this.#index = indexOf(messages);
    return this.#index.get(id);
  }

  #reset(messages: ConversationMessage[]): void {
    this.#messages = messages;
    this.#index = indexOf(messages);
  }
}

/** `unsure`: another list that shares the index has the id at another position. */
function findPlace(messages: readonly ConversationMessage[], index: Map<string, number>, id: string): number | undefined | "unsure" {
  const place = index.get(id);
  if (place === undefined) return undefined;
  return messages[place]?.id === id ? place : "unsure";
}

function indexOf(messages: readonly ConversationMessage[]): Map<string, number> {
  return new Map(messages.map((message, i) => [message.id, i]));
}
