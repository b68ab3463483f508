import { setImmediate } from "node:timers/promises";
import type { AttemptId, ConversationMessage, MessageId, StoredMessage } from "@skein/contracts";
import { readSlices, type StorageReader } from "@skein/engine";
import { getAttempt } from "./lookup.ts";

/** The stored messages of an attempt, yielding to other work between slices. Rejects if the attempt does not exist. */
export async function* readAttemptMessages(
  reader: StorageReader,
  { attemptId, ...range }: { attemptId: AttemptId; after?: MessageId | undefined; limit?: number | undefined },
): AsyncGenerator<StoredMessage[], void> {
  await getAttempt(reader, attemptId);
  yield* readSlices({ ...range, next: (query) => reader.listNextMessages({ attemptId, ...query }), pause: setImmediate });
}

/** The conversation messages of an attempt, in the same way. */
export async function* readAttemptConversation(
  reader: StorageReader,
  { attemptId }: { attemptId: AttemptId },
): AsyncGenerator<ConversationMessage[], void> {
  await getAttempt(reader, attemptId);
  yield* readSlices({ next: (query) => reader.listNextConversationMessages({ attemptId, ...query }), pause: setImmediate });
}
