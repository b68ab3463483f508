import type { CompressionSummary, MessageBody } from "@skein/contracts";
import { applyCompression, type RequestMessage } from "./apply-compression.ts";
import { dropInvalidMessages } from "./drop-invalid-messages.ts";
import { fixToolPairs } from "./fix-tool-pairs.ts";
import type { PairRepair } from "./pair-repair.ts";

/** A history after the first three steps of a build. */
export interface PreparedHistory {
  /** The messages that it was made of: a copy, since callers may change their array. */
  readonly given: RequestMessage[];
  readonly summary: CompressionSummary | null;
  compressedCount: number;
  validCount: number;
  /** Result of `fixToolPairs`. */
  readonly paired: MessageBody[];
  readonly repairs: readonly PairRepair[];
  /** The ids of all calls in `paired`. */
  readonly callIds: Set<string>;
}

/** Runs `applyCompression`, `dropInvalidMessages` and `fixToolPairs` on a whole history. */
export function prepareHistory(messages: readonly RequestMessage[], summary: CompressionSummary | null): PreparedHistory {
  const compressed = applyCompression(messages, summary);
  const valid = dropInvalidMessages(compressed);
  const { messages: paired, repairs, callIds } = fixToolPairs(valid);
  const counts = { compressedCount: compressed.length, validCount: valid.length };
  // `applyCompression` returns a new array, so `paired` is never that of the caller
  return { given: messages.slice(), summary, ...counts, paired: paired as MessageBody[], repairs, callIds };
}

/**
 * Appends what follows `history` in `messages`, and runs the three steps on that alone. The outcome is that of `prepareHistory`
 * on the whole: steps 1 and 2 look at one message at a time, and new messages in which nothing has to be repaired leave the
 * pairs before them as they are.
 *
 * @returns the messages that were appended to `paired`; undefined, with `history` unchanged, where the whole must be prepared again.
 */
export function continueHistory(
  history: PreparedHistory,
  messages: readonly RequestMessage[],
  summary: CompressionSummary | null,
): readonly MessageBody[] | undefined {
  if (!isContinuedBy(history, messages, summary)) return undefined;
  const added = messages.slice(history.given.length);
  const compressed = applyCompression(added, null);
  const valid = dropInvalidMessages(compressed);
  const { messages: paired, repairs, callIds } = fixToolPairs(valid, { usedIds: history.callIds });
  if (repairs.length > 0) return undefined;
  for (const message of added) history.given.push(message);
  for (const message of paired) history.paired.push(message);
  for (const id of callIds) history.callIds.add(id);
  history.compressedCount += compressed.length;
  history.validCount += valid.length;
  return paired;
}

/**
 * Messages are compared by identity. A summary that names a new message changes more than the end. Where the steps have left
 * nothing so far, the request as a whole decides whether it can be sent.
 */
function isContinuedBy(
  { given, paired, summary: before }: PreparedHistory,
  messages: readonly RequestMessage[],
  summary: CompressionSummary | null,
): boolean {
  if (paired.length === 0 || given.length > messages.length || summary !== before) return false;
  // unlike `===`, this compares references without reading the objects: 100,000 of them are not in any cache
  for (let i = 0; i < given.length; i++) if (!Object.is(given[i], messages[i])) return false;
  if (summary === null || given.length === messages.length) return true;
  const named = new Set([...summary.messageIds, summary.startMessageId]);
  return messages.slice(given.length).every(({ id }) => !named.has(id));
}
