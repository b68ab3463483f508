import type { ConversationMessage } from "@skein/contracts";
import { type MessageDraft, mergeEntries, type ProcessedStep, type SnapshotEntry } from "@skein/engine";
import type { Fact } from "./save-facts.ts";

export type PendingPart =
  | { kind: "fact"; value: Fact }
  | { kind: "conversation"; value: ConversationMessage }
  | { kind: "message"; value: MessageDraft };

/** What was read of a log since the last commit. */
export interface PendingWrites {
  /** Up to where it was read; undefined while nothing was. */
  offset: number | undefined;
  facts: Fact[];
  /** Parts of the processor's state that changed; known once it is given to a commit. */
  entries: SnapshotEntry[];
  readonly size: number;
  add(step: ProcessedStep): void;
  /** The newest state of each, in the order in which they first appeared. */
  conversation(): ConversationMessage[];
  messages(): MessageDraft[];
  /** Everything in it, each by itself. */
  parts(): PendingPart[];
  remove(part: PendingPart): void;
  /** Both as one, where a commit of this one failed while more was read. */
  followedBy(later: PendingWrites): PendingWrites;
}

export function createPendingWrites(): PendingWrites {
  const conversation = new Map<string, ConversationMessage>();
  const messages = new Map<string, MessageDraft>();
  const pending: PendingWrites = {
    offset: undefined,
    facts: [],
    entries: [],
    get size() {
      return conversation.size + messages.size;
    },
    add(step) {
      for (const message of step.conversation) conversation.set(message.id, message);
      for (const message of step.messages) messages.set(message.id, message);
    },
    conversation: () => [...conversation.values()],
    messages: () => [...messages.values()].sort((a, b) => a.position - b.position),
    parts: () => [
      ...pending.facts.map((value): PendingPart => ({ kind: "fact", value })),
      ...pending.messages().map((value): PendingPart => ({ kind: "message", value })),
      ...pending.conversation().map((value): PendingPart => ({ kind: "conversation", value })),
    ],
    remove({ kind, value }) {
      if (kind === "fact") pending.facts = pending.facts.filter((fact) => fact !== value);
      else (kind === "message" ? messages : conversation).delete(value.id);
    },
    followedBy(later) {
      pending.add({ conversation: later.conversation(), messages: later.messages() });
      pending.facts.push(...later.facts);
      pending.entries = mergeEntries(pending.entries, later.entries);
      pending.offset = later.offset ?? pending.offset;
      return pending;
    },
  };
  return pending;
}
