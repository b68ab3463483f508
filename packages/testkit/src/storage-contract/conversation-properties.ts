import type { ConversationMessage } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildConversationMessage, buildToolExecutionMessage } from "../builders/build-conversation-message.ts";
import { testTime } from "../builders/test-id.ts";
import { attempt, insertRunningExecution, ofAttempt, ofExecution, type StorageContract } from "./contract-fixture.ts";

interface Put {
  id: string;
  revision: number;
  replaces: string[];
}

const idArbitrary = fc.constantFrom("a", "b", "c", "d", "e", "f");
const putArbitrary: fc.Arbitrary<Put> = fc.record({
  id: idArbitrary,
  revision: fc.integer({ min: 1, max: 4 }),
  replaces: fc.oneof(
    { weight: 3, arbitrary: fc.constant<string[]>([]) },
    { weight: 1, arbitrary: fc.uniqueArray(idArbitrary, { maxLength: 2 }) },
  ),
});

function toMessage({ id, revision, replaces }: Put): ConversationMessage {
  if (replaces.length === 0) return buildConversationMessage({ id, revision, content: `${id} ${revision}` });
  return buildToolExecutionMessage({ id, revision, metadata: { replaces } });
}

function replacedBy(message: ConversationMessage): readonly string[] {
  return message.messageType === "tool_execution" ? (message.metadata.replaces ?? []) : [];
}

/** The contract of `putConversationMessages`, in its simplest form. */
function applyPut(messages: readonly ConversationMessage[], message: ConversationMessage): ConversationMessage[] {
  const known = messages.find(({ id }) => id === message.id);
  if (known && known.revision >= message.revision) return [...messages];
  const takes = (other: ConversationMessage) => other.id === message.id || replacedBy(message).includes(other.id);
  const place = messages.findIndex(takes);
  if (place < 0) return [...messages, message];
  return [...messages.slice(0, place), message, ...messages.slice(place).filter((other) => !takes(other))];
}

/** An id that was replaced does not come back: agents' output is read once. */
function withoutReturns(puts: readonly Put[]): ConversationMessage[] {
  const gone = new Set<string>();
  const messages: ConversationMessage[] = [];
  for (const put of puts) {
    const replaces = put.replaces.filter((id) => id !== put.id);
    if (gone.has(put.id)) continue;
    for (const id of replaces) gone.add(id);
    messages.push(toMessage({ ...put, replaces }));
  }
  return messages;
}

function toBatches<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}

async function listInPages(storage: Storage, limit: number): Promise<ConversationMessage[]> {
  let all: ConversationMessage[] = [];
  for (let before: string | undefined; ; ) {
    const { messages, hasMore } = await storage.read.listConversationMessages({ attemptId: attempt.id, before, limit });
    all = [...messages, ...all];
    if (!hasMore) return all;
    before = messages[0]?.id;
  }
}

export function describeConversationProperties({ open }: StorageContract): void {
  describe("any series of conversation messages", () => {
    it("[E7] [Q12] reading it whole, in pages, or by replaying its events gives the same conversation", { timeout: 60_000 }, async () => {
      const [pageSizes, batchSizes] = [fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 20 })];
      await fc.assert(
        fc.asyncProperty(fc.array(putArbitrary, { maxLength: 20 }), pageSizes, batchSizes, async (puts, pageSize, batchSize) => {
          const storage = await open();
          try {
            await storage.transaction(insertRunningExecution);
            const messages = withoutReturns(puts);
            await Promise.all(
              toBatches(messages, batchSize).map((batch) =>
                storage.transaction((tx) => tx.addConversationMessages({ ...ofAttempt, ...ofExecution, messages: batch, at: testTime })),
              ),
            );
            const expected = messages.reduce(applyPut, []);
            expect(await listInPages(storage, 100)).toEqual(expected);
            expect(await listInPages(storage, pageSize)).toEqual(expected);
            const events = await storage.read.listEvents({ after: 0, limit: 100 });
            const replayed = events.flatMap(({ event }) => (event.type === "message:added" ? [event.message] : []));
            expect(replayed.reduce(applyPut, [])).toEqual(expected);
          } finally {
            await storage.close();
          }
        }),
        { numRuns: 80 },
      );
    });
  });
}
