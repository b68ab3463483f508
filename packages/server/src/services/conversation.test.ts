import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConversationMessage } from "@skein/contracts";
import { openSqliteStorage } from "@skein/storage";
import { buildAttempt, buildConversationMessage, buildExecution, buildProject, buildTask } from "@skein/testkit";
import { expect, onTestFinished, test } from "vitest";
import { createConversationService } from "./conversation.ts";
import type { ServiceContext } from "./service-context.ts";

const attempt = buildAttempt();
const numbered = (number: number, content = `message ${number}`) => buildConversationMessage({ id: `msg_${number}`, content });

async function openService(live: ConversationMessage[] = []) {
  const storage = await openSqliteStorage({ file: join(mkdtempSync(join(tmpdir(), "skein-conversation-")), "skein.db") });
  onTestFinished(() => storage.close());
  const execution = buildExecution({ attemptId: attempt.id });
  await storage.transaction(async (tx) => {
    await tx.insertProject(buildProject());
    await tx.insertTask(buildTask());
    await tx.insertAttempt(attempt);
    await tx.insertExecution(execution);
    const messages = Array.from({ length: 9 }, (_, index) => numbered(index + 1));
    await tx.putConversationMessages({ attemptId: attempt.id, executionId: execution.id, messages });
  });
  // only what these methods ask of it
  return createConversationService({ storage, supervisor: { liveMessages: () => live } } as unknown as ServiceContext);
}

const idsOf = (page: { messages: ConversationMessage[] }) => page.messages.map(({ id }) => id.slice("msg_".length)).join(" ");

test("[E7] a page around a message has its neighbours, and reports whether there are more on either side", async () => {
  const service = await openService([numbered(10)]);
  const page = async (query: { around?: string; from?: string }) => {
    const found = await service.page({ taskId: attempt.taskId, limit: 4, mergeMode: "live", ...query });
    return [idsOf(found), found.hasMore, found.hasNewer];
  };
  expect(await page({ around: "msg_5" })).toEqual(["3 4 5 6", true, true]);
  expect(await page({ around: "msg_1" })).toEqual(["1 2", false, true]);
  expect(await page({ around: "msg_9" })).toEqual(["7 8 9 10", true, false]);
  expect(await page({ from: "msg_4" })).toEqual(["4 5 6 7", true, true]);
  expect(await page({ from: "msg_7" })).toEqual(["7 8 9 10", true, false]);
  expect(await page({})).toEqual(["6 7 8 9 10", true, undefined]);
  await expect(page({ around: "msg_none" })).rejects.toMatchObject({ kind: "not-found", code: "message-not-found" });
});

test("a text is found in the whole conversation, including live messages, and reaching the limit is reported", async () => {
  const service = await openService([numbered(10, "a live MESSAGE")]);
  const find = (text: string, limit = 100) => service.find({ attemptId: attempt.id, text, limit });
  expect((await find("message")).messageIds).toHaveLength(10);
  expect(await find("Message 4")).toEqual({ messageIds: ["msg_4"], truncated: false });
  expect(await find("live")).toEqual({ messageIds: ["msg_10"], truncated: false });
  expect(await find("message", 2)).toEqual({ messageIds: ["msg_1", "msg_2"], truncated: true });
});
