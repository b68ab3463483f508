import { setImmediate } from "node:timers/promises";
import type { AttemptId, ConversationMessage, Execution, MessageId, StoredMessage } from "@skein/contracts";
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

/** A few milliseconds of the thread. */
const executionsAtOnce = 200;

/** All executions of an attempt, of which it may have thousands, yielding to other work in between. */
export async function readAttemptExecutions(reader: StorageReader, { attemptId }: { attemptId: AttemptId }): Promise<Execution[]> {
  const executions: Execution[] = [];
  for (let after: number | undefined; ; ) {
    const page = await reader.listExecutions({ attemptId, after, limit: executionsAtOnce });
    executions.push(...page);
    after = page.at(-1)?.number;
    if (page.length < executionsAtOnce) return executions;
    await setImmediate();
  }
}

/** The conversation messages of an attempt, in the same way. */
export async function* readAttemptConversation(
  reader: StorageReader,
  { attemptId }: { attemptId: AttemptId },
): AsyncGenerator<ConversationMessage[], void> {
  await getAttempt(reader, attemptId);
  yield* readSlices({ next: (query) => reader.listNextConversationMessages({ attemptId, ...query }), pause: setImmediate });
}
