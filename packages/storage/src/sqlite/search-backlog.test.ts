import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { buildAttempt, buildConversationMessage, buildExecution, buildProject, buildTask } from "@skein/testkit";
import { expect, it, onTestFinished } from "vitest";
import { openSqliteStorage } from "./open-sqlite-storage.ts";

it("messages that an earlier release has indexed are found by parts of names once they are indexed again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "skein-backlog-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "skein.db");
  const earlier = await openSqliteStorage({ file });
  const attempt = buildAttempt();
  const execution = buildExecution();
  await earlier.transaction(async (tx) => {
    await tx.insertProject(buildProject());
    await tx.insertTask(buildTask());
    await tx.insertAttempt(attempt);
    await tx.insertExecution(execution);
    const messages = Array.from({ length: 25 }, (_, n) => buildConversationMessage({ id: `m${n}`, content: `getUserById ${n}` }));
    await tx.putConversationMessages({ attemptId: attempt.id, executionId: execution.id, messages });
  });
  await earlier.close();
  // as a database of version 8 has it: whole words only, and every message still to be indexed again
  const database = new DatabaseSync(file);
  database.exec(`
    INSERT OR REPLACE INTO conversation_search (rowid, text) SELECT row_id, body ->> '$.content' FROM conversation_messages;
    INSERT INTO search_backlog SELECT max(row_id) + 1 FROM conversation_messages;
  `);
  database.close();
  const storage = await openSqliteStorage({ file });
  onTestFinished(() => storage.close());
  const find = async (text: string) => (await storage.read.search({ text, limit: 100 })).length;
  expect([await find("getUser"), await find("UserById")]).toEqual([25, 0]);
  expect(await storage.transaction((tx) => tx.renewSearch({ limit: 10 }))).toBe(true);
  expect(await find("UserById 24")).toBe(1);
  expect(await find("UserById")).toBe(10);
  while (await storage.transaction((tx) => tx.renewSearch({ limit: 10 })));
  expect([await find("getUser"), await find("UserById")]).toEqual([25, 25]);
  expect(await storage.transaction((tx) => tx.renewSearch({ limit: 10 }))).toBe(false);
});
