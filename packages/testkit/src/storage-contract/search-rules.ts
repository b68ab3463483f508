import { describe, expect, it } from "vitest";
import { buildConversationMessage, buildToolExecutionMessage } from "../builders/build-conversation-message.ts";
import { buildTask } from "../builders/build-task.ts";
import { testId, testTime } from "../builders/test-id.ts";
import { attempt, insertRunningExecution, ofExecution, type StorageContract, task, useStorage } from "./contract-fixture.ts";

export function describeSearch(contract: StorageContract): void {
  describe("search", () => {
    const fixture = useStorage(contract);

    async function fill(): Promise<void> {
      await fixture.storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.insertTask(
          buildTask({ id: testId("tsk", 2), title: "Repair the lighthouse", description: "100% of the lamps_", updatedAt: testTime }),
        );
        await tx.putConversationMessages({
          ...ofExecution,
          messages: [
            buildConversationMessage({ id: "old", content: "The lighthouse keeper sleeps", timestamp: testTime + 1 }),
            buildToolExecutionMessage({ id: "tool", timestamp: testTime + 2, metadata: { output: "src/lighthouse_keeper.ts" } }),
            buildConversationMessage({ id: "chinese", content: "请修复灯塔的灯光问题", timestamp: testTime + 3 }),
            buildConversationMessage({ id: "streaming", content: "lighthouse", metadata: { streaming: true } }),
          ],
        });
      });
    }

    async function search(text: string, limit = 10): Promise<(string | undefined)[]> {
      const hits = await fixture.storage.read.search({ text, limit });
      return hits.map((hit) => hit.messageId ?? hit.taskId);
    }

    it("finds parts of words within one conversation, in its order, whatever their case, and no other field of a message", async () => {
      await fill();
      await fixture.storage.transaction((tx) =>
        tx.putConversationMessages({
          ...ofExecution,
          messages: [buildConversationMessage({ id: "odd", content: 'say "100%_\\" ÉTÉ' })],
        }),
      );
      const find = (text: string, limit = 10) => fixture.storage.read.findConversationMessages({ attemptId: attempt.id, text, limit });
      expect(await find("HOUSE")).toEqual(["old", "tool"]);
      expect(await find("house", 1)).toEqual(["old"]);
      expect(await find("塔的灯")).toEqual(["chinese"]);
      expect(await find('"100%_\\" été')).toEqual(["odd"]);
      expect(await find("00_")).toEqual([]);
      expect(await find("messageType")).toEqual([]);
      expect(await find("")).toEqual([]);
      expect(await fixture.storage.read.findConversationMessages({ attemptId: testId("att", 9), text: "house", limit: 10 })).toEqual([]);
    });

    it("finds tasks, messages and tool outputs by word prefixes: titles first, then messages, then tool outputs", async () => {
      await fill();
      expect(await search("LIGHTH")).toEqual(["tsk_0002", "old", "tool"]);
      expect(await search("keeper lighthouse")).toEqual(["old", "tool"]);
      expect(await search("lighthouse", 2)).toEqual(["tsk_0002", "old"]);
      expect(await search("nowhere")).toEqual([]);
    });

    it("reports the position of a match", async () => {
      await fill();
      expect(await fixture.storage.read.search({ text: "sleeps", limit: 10 })).toEqual([
        {
          kind: "message",
          source: "assistant",
          projectId: task.projectId,
          taskId: task.id,
          taskTitle: task.title,
          attemptId: attempt.id,
          messageId: "old",
          at: testTime + 1,
          excerpt: "The lighthouse keeper sleeps",
          ranges: [[22, 28]],
        },
      ]);
      expect(await fixture.storage.read.search({ text: "repair", limit: 10 })).toEqual([
        {
          kind: "task",
          source: "title",
          projectId: task.projectId,
          taskId: testId("tsk", 2),
          taskTitle: "Repair the lighthouse",
          at: testTime,
          excerpt: "Repair the lighthouse",
          ranges: [[0, 6]],
        },
      ]);
    });

    it("one or two letters match whole words only, not as a prefix", async () => {
      await fill();
      expect(await search("sl")).toEqual([]);
      expect(await search("ts")).toEqual(["tool"]);
      expect(await search("sle")).toEqual(["old"]);
    });

    it("finds words inside a text without spaces", async () => {
      await fill();
      expect(await search("灯塔")).toEqual(["chinese"]);
      expect(await search("塔灯")).toEqual([]);
    });

    it("finds names by any of their parts", async () => {
      await fill();
      await fixture.storage.transaction((tx) =>
        tx.putConversationMessages({
          ...ofExecution,
          messages: [
            buildConversationMessage({ id: "name", content: "Call getUserById(1) in 灯塔parseStrictEmailAddress." }),
            buildConversationMessage({ id: "path", content: "src/user_by_id/find-email.ts" }),
          ],
        }),
      );
      expect(await search("UserById")).toEqual(["name"]);
      expect(await search("userby")).toEqual(["name"]);
      expect(await search("EmailAddress")).toEqual(["name"]);
      expect(await search("EmailAddr in")).toEqual(["name"]);
      expect(await search("by_id")).toEqual(["path"]);
      expect(await search("serById")).toEqual([]);
      expect(await search("灯塔")).toEqual(["chinese", "name"]);
    });

    it("[Q13] takes every character of a query literally", async () => {
      await fill();
      for (const text of [
        '"',
        '""" OR "',
        "NEAR(",
        "a AND",
        "*",
        "-",
        "text:old",
        "^",
        "(((",
        "'; drop table tasks",
        "\0",
        "\ud83d",
        "%%%",
        " ",
        "",
      ]) {
        expect(await search(text), JSON.stringify(text)).toEqual([]);
      }
      expect(await search("100%")).toEqual(["tsk_0002"]);
      expect(await search("lamps_")).toEqual(["tsk_0002"]);
      expect(await search('"lighthouse"')).toEqual(["old", "tool"]);
    });

    it("finds a message by its current text, and a streamed one when it is complete", async () => {
      await fill();
      await fixture.storage.transaction((tx) =>
        tx.putConversationMessages({
          ...ofExecution,
          messages: [
            buildConversationMessage({ id: "old", content: "A harbour", revision: 2, timestamp: testTime + 1 }),
            buildConversationMessage({ id: "streaming", content: "lighthouse", revision: 2, timestamp: testTime + 9 }),
          ],
        }),
      );
      expect(await search("lighthouse")).toEqual(["tsk_0002", "streaming", "tool"]);
      expect(await search("harbour")).toEqual(["old"]);
    });
  });
}
