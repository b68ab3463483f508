import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Storage } from "@skein/engine";
import { buildAttempt, buildConversationMessage, buildExecution, buildProject, buildTask } from "@skein/testkit";
import { describe, expect, it, onTestFinished } from "vitest";
import { migrations } from "./migrations.ts";
import { openDatabase } from "./open-database.ts";
import { openSqliteStorage } from "./open-sqlite-storage.ts";

const attempt = buildAttempt();
const execution = buildExecution();
const ids = { attemptId: attempt.id, executionId: execution.id };

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "skein-backlog-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "skein.db");
}

async function open(file: string): Promise<Storage> {
  const storage = await openSqliteStorage({ file });
  onTestFinished(() => storage.close());
  return storage;
}

async function insertExecution(storage: Storage): Promise<void> {
  await storage.transaction(async (tx) => {
    await tx.insertProject(buildProject());
    await tx.insertTask(buildTask());
    await tx.insertAttempt(attempt);
    await tx.insertExecution(execution);
  });
}

const put = (storage: Storage, id: string, content: string, revision = 1) =>
  storage.transaction((tx) => tx.putConversationMessages({ ...ids, messages: [buildConversationMessage({ id, content, revision })] }));

const find = async (storage: Storage, text: string) => (await storage.read.search({ text, limit: 100 })).map(({ messageId }) => messageId);
const count = async (storage: Storage, text: string) => (await find(storage, text)).length;
const renew = (storage: Storage) => storage.transaction((tx) => tx.renewSearch({ limit: 10 }));

/** The state that an earlier release left: one index of whole words only. */
async function createEarlierDatabase(): Promise<string> {
  const file = newFile();
  using database = openDatabase({ file, migrations: migrations.filter(({ version }) => version < 10), now: Date.now });
  database.exec(`
    INSERT INTO projects (id, name, path, created_at, updated_at) VALUES ('prj_1', 'p', '/p', 1, 1);
    INSERT INTO tasks (id, project_id, title, description, status, priority, tags, position, created_at, updated_at)
      VALUES ('tsk_1', 'prj_1', 't', '', 'todo', 'none', '[]', 1, 1, 1);
    INSERT INTO attempts (id, task_id, number, agent, permission_mode, isolation, directory, active, created_at, updated_at)
      VALUES ('${attempt.id}', 'tsk_1', 1, 'native', 'ask', 'in-place', '/', 1, 1, 1);
    INSERT INTO executions (id, task_id, attempt_id, number, status, started_at)
      VALUES ('${execution.id}', 'tsk_1', '${attempt.id}', 1, 'running', 1);
  `);
  const insert = database.prepare(
    "INSERT INTO conversation_messages (attempt_id, execution_id, id, position, revision, timestamp, body) VALUES (?, ?, ?, ?, 1, 1, ?)",
  );
  for (let n = 0; n < 25; n++) {
    insert.run(
      attempt.id,
      execution.id,
      `m${n}`,
      n + 1,
      JSON.stringify(buildConversationMessage({ id: `m${n}`, content: `getUserById ${n}` })),
    );
  }
  database.exec("INSERT INTO conversation_search (rowid, text) SELECT row_id, body ->> '$.content' FROM conversation_messages");
  return file;
}

describe("the search index of an earlier release", () => {
  it("is searched until its messages are indexed again, then it is dropped", async () => {
    const file = await createEarlierDatabase();
    const storage = await open(file);
    expect([await count(storage, "getUser"), await count(storage, "UserById")]).toEqual([25, 0]);
    expect(await renew(storage)).toBe(true);
    expect(await count(storage, "UserById 24")).toBe(1);
    expect([await count(storage, "getUser"), await count(storage, "UserById")]).toEqual([25, 10]);
    while (await renew(storage));
    expect([await count(storage, "getUser"), await count(storage, "UserById")]).toEqual([25, 25]);
    expect(await renew(storage)).toBe(false);
    using database = new DatabaseSync(file, { readOnly: true });
    expect(database.prepare("SELECT name FROM sqlite_schema WHERE name = 'conversation_search'").all()).toEqual([]);
  });

  it("[Q12] is searched as it is at one time: nothing is missed that is indexed again meanwhile", async () => {
    const storage = await open(await createEarlierDatabase());
    await put(storage, "new", "getUserById new");
    for (let isLeft = true; isLeft; ) {
      const renewing = renew(storage);
      expect(await count(storage, "getUser")).toBe(26);
      isLeft = await renewing;
    }
  });

  it("does not find what was changed or deleted meanwhile", async () => {
    const storage = await open(await createEarlierDatabase());
    await put(storage, "m3", "setOrder 3", 2);
    expect([await find(storage, "getUserById 3"), await find(storage, "setOrder")]).toEqual([[], ["m3"]]);
    await storage.transaction((tx) => tx.deleteAttempt({ id: attempt.id }));
    while (await storage.transaction((tx) => tx.purgeDeleted({ limit: 10 })));
    expect(await count(storage, "getUserById")).toBe(0);
    while (await renew(storage));
    expect(await count(storage, "getUserById")).toBe(0);
  });
});

describe("a search index of several parts", () => {
  it("is searched from the newest message on, and loses what is deleted or replaced in any part", async () => {
    const file = newFile();
    const before = await openSqliteStorage({ file });
    await insertExecution(before);
    await put(before, "old", "red lamp");
    await before.close();
    using database = new DatabaseSync(file);
    database.exec("UPDATE conversation_messages SET position = -position");
    // as if many other rows had been written
    database
      .prepare(
        "INSERT INTO conversation_messages (row_id, attempt_id, execution_id, id, position, revision, timestamp, body) VALUES (99999, ?, ?, 'x', 1, 1, 1, '{}')",
      )
      .run(attempt.id, execution.id);
    const storage = await open(file);
    await put(storage, "new", "green lamp");
    expect(database.prepare("SELECT number FROM search_parts ORDER BY number").all()).toEqual([{ number: 0 }, { number: 3 }]);
    expect(await find(storage, "lamp")).toEqual(["new", "old"]);
    expect([await find(storage, "red lamp"), await find(storage, "green la")]).toEqual([["old"], []]);
    expect(await find(storage, "green lam")).toEqual(["new"]);
    await put(storage, "old", "blue lamp", 2);
    expect([await find(storage, "red"), await find(storage, "blue")]).toEqual([[], ["old"]]);
  });

  it("a part whose messages are all deleted is dropped, and made again when it is needed", async () => {
    const file = newFile();
    const storage = await open(file);
    await insertExecution(storage);
    await put(storage, "old", "red lamp");
    using database = new DatabaseSync(file);
    const listParts = () =>
      database
        .prepare("SELECT name FROM sqlite_schema WHERE name GLOB 'conversation_search_[0-9]' UNION SELECT number FROM search_parts")
        .all();
    expect(listParts()).toHaveLength(2);
    await storage.transaction((tx) => tx.deleteProject({ id: buildProject().id }));
    while (await storage.transaction((tx) => tx.purgeDeleted({ limit: 10 })));
    expect(listParts()).toEqual([]);
    expect(await find(storage, "lamp")).toEqual([]);
    await insertExecution(storage);
    await put(storage, "new", "green lamp");
    expect(await find(storage, "lamp")).toEqual(["new"]);
  });

  it("a part that was made in a transaction that failed is made again by the next", async () => {
    const storage = await open(newFile());
    await insertExecution(storage);
    const failing = storage.transaction(async (tx) => {
      await tx.putConversationMessages({ ...ids, messages: [buildConversationMessage({ id: "a", content: "red lamp" })] });
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    await put(storage, "b", "green lamp");
    expect(await find(storage, "lamp")).toEqual(["b"]);
  });

  it("an aborted search ends", async () => {
    const storage = await open(newFile());
    await insertExecution(storage);
    await put(storage, "a", "red lamp");
    await expect(storage.read.search({ text: "lamp", limit: 10, signal: AbortSignal.abort() })).rejects.toThrow("aborted");
  });
});
