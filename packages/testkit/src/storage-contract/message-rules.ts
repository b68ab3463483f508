import { StorageConstraintError } from "@skein/engine";
import { describe, expect, it } from "vitest";
import { buildAttempt } from "../builders/build-attempt.ts";
import { buildConversationMessage, buildToolExecutionMessage } from "../builders/build-conversation-message.ts";
import { buildEndedExecution, buildExecution } from "../builders/build-execution.ts";
import { buildStoredMessage } from "../builders/build-stored-message.ts";
import { testId } from "../builders/test-id.ts";
import {
  attempt,
  buildNumberedMessage,
  insertRunningExecution,
  listConversationIds,
  ofExecution,
  type StorageContract,
  useStorage,
} from "./contract-fixture.ts";

export function describeMessages(contract: StorageContract): void {
  describe("messages", () => {
    const fixture = useStorage(contract);

    it("[P2] messages are sorted by execution, then position, whatever the order of writing", async () => {
      const second = buildExecution({ id: testId("exe", 2), number: 2 });
      await fixture.storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.endExecution(buildEndedExecution());
        await tx.insertExecution(second);
        await tx.putMessages([
          buildStoredMessage({ id: testId("msg", 1), executionId: second.id, position: 0 }),
          buildStoredMessage({ id: testId("msg", 2), position: 2 }),
          buildStoredMessage({ id: testId("msg", 3), position: 1 }),
        ]);
      });
      const messages = await fixture.storage.read.listMessages({ attemptId: attempt.id });
      expect(messages.map(({ id }) => id)).toEqual(["msg_0003", "msg_0002", "msg_0001"]);
      const { read } = fixture.storage;
      const part = async (query: { offset?: number; limit?: number }) =>
        (await read.listMessages({ attemptId: attempt.id, ...query })).map(({ id }) => id);
      expect(await part({ offset: 1 })).toEqual(["msg_0002", "msg_0001"]);
      expect(await part({ limit: 2 })).toEqual(["msg_0003", "msg_0002"]);
      expect(await part({ offset: 1, limit: 1 })).toEqual(["msg_0002"]);
      expect(await part({ offset: 3, limit: 5 })).toEqual([]);
      expect(await read.countMessages({ attemptId: attempt.id })).toEqual([
        { executionId: testId("exe"), count: 2 },
        { executionId: second.id, count: 1 },
      ]);
      expect(await read.listMessagePlaces({ executionId: testId("exe") })).toEqual([
        { id: "msg_0003", position: 1 },
        { id: "msg_0002", position: 2 },
      ]);
      expect(await read.listMessagePlaces({ executionId: testId("exe"), from: 2 })).toEqual([{ id: "msg_0002", position: 2 }]);
      expect(await read.listMessagePlaces({ executionId: testId("exe"), limit: 1 })).toEqual([{ id: "msg_0003", position: 1 }]);
      expect(await read.findMessage({ id: testId("msg", 2) })).toEqual(messages[1]);
      expect(await read.findMessage({ id: testId("msg", 9) })).toBeUndefined();
    });

    it("messages are counted whatever their positions, and other work runs meanwhile", async () => {
      const positions = [...Array.from({ length: 45_000 }, (_, i) => i), 7, 7, 44_999, 90_000, 10 ** 12, 10 ** 12];
      await fixture.storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.putMessages(positions.map((position, i) => buildStoredMessage({ id: testId("msg", i), position })));
      });
      let turns = 0;
      const timer = setInterval(() => turns++, 0);
      const counts = await fixture.storage.read.countMessages({ attemptId: attempt.id });
      clearInterval(timer);
      expect(counts).toEqual([{ executionId: testId("exe"), count: positions.length }]);
      expect(turns).toBeGreaterThan(0);
    });

    it("[P2] the messages after one are the rest of the list, in slices of a number and of a size", async () => {
      await fixture.storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.endExecution(buildEndedExecution());
        await tx.insertExecution(buildExecution({ id: testId("exe", 2), number: 2 }));
        const body = (length: number) => ({ role: "user" as const, content: "é".repeat(length) });
        // two of them have the same position
        const places = [2, 1, 1, 5].map((position, index) => ({ id: testId("msg", index + 1), position }));
        await tx.putMessages([
          ...places.map((place, index) => buildStoredMessage({ ...place, body: body(index === 2 ? 5000 : 10) })),
          ...[6, 7, 8].map((number) =>
            buildStoredMessage({ id: testId("msg", number), executionId: testId("exe", 2), position: number, body: body(10) }),
          ),
        ]);
      });
      const { read } = fixture.storage;
      const attemptId = attempt.id;
      const all = await read.listMessages({ attemptId });
      expect(all.map(({ id }) => id)).toEqual(["msg_0002", "msg_0003", "msg_0001", "msg_0004", "msg_0006", "msg_0007", "msg_0008"]);
      for (let limit = 1; limit <= 8; limit++) {
        for (const [index, message] of [undefined, ...all].entries()) {
          const next = await read.listNextMessages({ attemptId, after: message?.id, limit, maxBytes: 1_000_000 });
          expect(next).toEqual(all.slice(index, index + limit));
        }
      }
      const slices: string[][] = [];
      for (let slice = all.slice(0, 0); ; ) {
        slice = await read.listNextMessages({ attemptId, after: slice.at(-1)?.id, limit: 100, maxBytes: 200 });
        if (slice.length === 0) break;
        slices.push(slice.map(({ id }) => id));
      }
      expect(slices.flat()).toEqual(all.map(({ id }) => id));
      // the large one is read alone
      expect(slices.slice(0, 2)).toEqual([["msg_0002"], ["msg_0003"]]);
      expect(slices.length).toBeLessThan(all.length);
      await expect(read.listNextMessages({ attemptId, after: testId("msg", 99), limit: 1, maxBytes: 1 })).rejects.toThrow(/msg_0099/);
    });

    it("returns a message with all of its fields, and replaces it by id", async () => {
      const message = buildStoredMessage({
        tokens: 12,
        model: "scripted/demo",
        usage: { inputTokens: 3, costUsd: 0.01 },
        body: {
          role: "assistant",
          content: [{ type: "reasoning", text: "hm \ud83d", signature: "s", model: "scripted/demo", providerData: { a: [1, null] } }],
          toolCalls: [{ id: "call_1", type: "function", function: { name: "bash", arguments: '{"command": "printf \\u0000' } }],
        },
      });
      await fixture.storage.transaction(insertRunningExecution);
      await fixture.storage.transaction((tx) => tx.putMessages([buildStoredMessage(), message]));
      expect(await fixture.storage.read.listMessages({ attemptId: attempt.id })).toEqual([message]);
    });

    it("a message is never taken from another attempt", async () => {
      const other = buildAttempt({ id: testId("att", 2), number: 2 });
      const execution = buildExecution({ id: testId("exe", 2), attemptId: other.id });
      await fixture.storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.putMessages([buildStoredMessage()]);
        await tx.insertAttempt(other);
        await tx.insertExecution(execution);
      });
      const stolen = buildStoredMessage({ attemptId: other.id, executionId: execution.id });
      await expect(fixture.storage.transaction((tx) => tx.putMessages([stolen]))).rejects.toThrow(StorageConstraintError);
      expect(await fixture.storage.read.listMessages({ attemptId: attempt.id })).toEqual([buildStoredMessage()]);
    });
  });

  describe("conversation messages", () => {
    const fixture = useStorage(contract);

    function put(...messages: ReturnType<typeof buildConversationMessage>[]) {
      return fixture.storage.transaction((tx) => tx.putConversationMessages({ ...ofExecution, messages }));
    }

    it("[T2] a higher revision updates a message in its place, a lower or equal one changes nothing", async () => {
      const running = buildToolExecutionMessage({ metadata: { state: "running", output: "" } });
      const ended = buildToolExecutionMessage({ revision: 3 });
      await fixture.storage.transaction(insertRunningExecution);
      await put(running, buildNumberedMessage(2));
      await put(ended);
      await put({ ...running, revision: 2 }, { ...running, revision: 3 });
      const { messages } = await fixture.storage.read.listConversationMessages({ attemptId: attempt.id, limit: 10 });
      expect(messages).toEqual([ended, buildNumberedMessage(2)]);
    });

    it("[T3] a message that replaces others takes the place of the first, and they are gone", async () => {
      await fixture.storage.transaction(insertRunningExecution);
      await put(...[1, 2, 3, 4, 5].map(buildNumberedMessage));
      const card = buildToolExecutionMessage({ metadata: { replaces: ["msg_0004", "msg_0002", "unknown"] } });
      await put(card);
      expect(await listConversationIds(fixture.storage)).toEqual(["msg_0001", card.id, "msg_0003", "msg_0005"]);
    });

    it("[T3] a message that is already shown moves to the place of what it replaces with a later revision", async () => {
      const card = buildToolExecutionMessage();
      await fixture.storage.transaction(insertRunningExecution);
      await put(buildNumberedMessage(1), buildNumberedMessage(2), card);
      const grown = buildToolExecutionMessage({ revision: 2, metadata: { replaces: ["msg_0001"] } });
      await put(grown);
      await put(grown, buildNumberedMessage(3));
      expect(await listConversationIds(fixture.storage)).toEqual([card.id, "msg_0002", "msg_0003"]);
    });

    it("[E7] pages go from the newest back to the first, each sorted oldest first", async () => {
      await fixture.storage.transaction(insertRunningExecution);
      await put(...[1, 2, 3, 4, 5].map(buildNumberedMessage));
      const { read } = fixture.storage;
      const page = async (before?: string) => {
        const { messages, hasMore } = await read.listConversationMessages({ attemptId: attempt.id, before, limit: 2 });
        return [...messages.map(({ id }) => id), hasMore];
      };
      expect(await page()).toEqual(["msg_0004", "msg_0005", true]);
      expect(await page("msg_0004")).toEqual(["msg_0002", "msg_0003", true]);
      expect(await page("msg_0002")).toEqual(["msg_0001", false]);
      expect(await page("msg_0001")).toEqual([false]);
      expect(await page("unknown")).toEqual([false]);
    });

    it("[E7] pages continue from a message towards the newest, itself included", async () => {
      await fixture.storage.transaction(insertRunningExecution);
      await put(...[1, 2, 3, 4].map(buildNumberedMessage));
      const page = async (from: string) => {
        const { messages, hasMore } = await fixture.storage.read.listConversationMessages({ attemptId: attempt.id, from, limit: 2 });
        return [...messages.map(({ id }) => id), hasMore];
      };
      expect(await page("msg_0001")).toEqual(["msg_0001", "msg_0002", true]);
      expect(await page("msg_0003")).toEqual(["msg_0003", "msg_0004", false]);
      expect(await page("msg_0004")).toEqual(["msg_0004", false]);
      expect(await page("unknown")).toEqual([false]);
    });

    it("[P2] the messages after one are the rest of the conversation, in slices of a number and of a size", async () => {
      await fixture.storage.transaction(insertRunningExecution);
      await put(...[1, 2, 3, 4, 5].map((number) => ({ ...buildNumberedMessage(number), content: "é".repeat(number === 3 ? 5000 : 10) })));
      const { read } = fixture.storage;
      const attemptId = attempt.id;
      const next = async (after: string | undefined, limits: { limit: number; maxBytes: number }) =>
        (await read.listNextConversationMessages({ attemptId, after, ...limits })).map(({ id }) => id);
      const all = await listConversationIds(fixture.storage);
      for (const [index, after] of [undefined, ...all].entries()) {
        expect(await next(after, { limit: 2, maxBytes: 1_000_000 })).toEqual(all.slice(index, index + 2));
      }
      expect(await next(undefined, { limit: 10, maxBytes: 2000 })).toEqual(["msg_0001", "msg_0002"]);
      expect(await next("msg_0002", { limit: 10, maxBytes: 2000 })).toEqual(["msg_0003"]);
      await expect(next("unknown", { limit: 1, maxBytes: 1 })).rejects.toThrow(/unknown/);
    });

    it("[T0] an id is known per attempt, so that two attempts can hold the same conversation", async () => {
      const other = buildAttempt({ id: testId("att", 2), number: 2 });
      const execution = buildExecution({ id: testId("exe", 2), attemptId: other.id });
      await fixture.storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.insertAttempt(other);
        await tx.insertExecution(execution);
      });
      await put(buildNumberedMessage(1));
      const copy = buildConversationMessage({ content: "Copied" });
      await fixture.storage.transaction((tx) =>
        tx.putConversationMessages({ attemptId: other.id, executionId: execution.id, messages: [copy] }),
      );
      const { read } = fixture.storage;
      expect((await read.listConversationMessages({ attemptId: other.id, limit: 9 })).messages).toEqual([copy]);
      expect((await read.listConversationMessages({ attemptId: attempt.id, limit: 9 })).messages).toEqual([buildNumberedMessage(1)]);
    });
  });
}
