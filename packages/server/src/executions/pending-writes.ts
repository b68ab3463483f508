import type { ConversationMessage } from "@skein/contracts";
import { type MessageDraft, mergeEntries, type ProcessedStep, type SnapshotEntry } from "@skein/engine";
import type { Fact } from "./save-facts.ts";

export type PendingPart =
  | { kind: "fact"; value: Fact }
  | { kind: "conversation"; value: ConversationMessage }
  | { kind: "message"; value: MessageDraft };

/** What was read from a log since the last commit. */
export interface PendingWrites {
  /** Offset up to which the log was read; undefined if nothing was read. */
  offset: number | undefined;
  /** When the oldest line in it was written; only for a watcher. */
  oldestAt: number | undefined;
  facts: Fact[];
  /** Changed parts of the processor's state; set when it becomes part of a commit. */
  entries: SnapshotEntry[];
  readonly size: number;
  add(step: ProcessedStep): void;
  /** The newest revision of each message, in order of first appearance. */
  conversation(): ConversationMessage[];
  messages(): MessageDraft[];
  /** Everything in it, as separate parts. */
  parts(): PendingPart[];
  remove(part: PendingPart): void;
  /** Combines both, after a failed commit during which reading continued. */
  followedBy(later: PendingWrites): PendingWrites;
}

export function createPendingWrites(): PendingWrites {
  const conversation = new Map<string, ConversationMessage>();
  const messages = new Map<string, MessageDraft>();
  const pending: PendingWrites = {
    offset: undefined,
    oldestAt: undefined,
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
      pending.oldestAt ??= later.oldestAt;
      return pending;
    },
  };
  return pending;
}
