import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrations } from "./migrations.ts";
import { openDatabase } from "./open-database.ts";
import { openSqliteStorage } from "./open-sqlite-storage.ts";

let folder = "";
let file = "";
const now = Date.now;
const earlier = migrations.filter(({ version }) => version < 10);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "skein-deletions-"));
  file = join(folder, "skein.db");
  using database = openDatabase({ file, migrations: earlier, now });
  database.exec(`
    INSERT INTO projects (id, name, path, created_at, updated_at) VALUES ('prj_1', 'p', '/p', 1, 1);
    INSERT INTO tasks (id, project_id, title, description, status, priority, tags, position, created_at, updated_at)
      VALUES ('tsk_1', 'prj_1', 't', '', 'todo', 'none', '[]', 1, 1, 1);
    INSERT INTO attempts (id, task_id, number, agent, permission_mode, isolation, directory, active, created_at, updated_at)
      VALUES ('att_1', 'tsk_1', 1, 'native', 'ask', 'in-place', '/', 1, 1, 1);
    INSERT INTO executions (id, task_id, attempt_id, number, status, started_at) VALUES ('exe_1', 'tsk_1', 'att_1', 1, 'running', 1);
    INSERT INTO messages (id, attempt_id, execution_id, position, body, created_at) VALUES ('msg_1', 'att_1', 'exe_1', 0, '{}', 1);
    INSERT INTO conversation_messages (attempt_id, execution_id, id, position, revision, timestamp, body)
      VALUES ('att_1', 'exe_1', 'msg_1', 1, 1, 1, '{}');
  `);
});
afterEach(() => rmSync(folder, { recursive: true }));

const migrate = (): DatabaseSync => openDatabase({ file, migrations, now });
const count = (database: DatabaseSync, table: string) => database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count;

describe("a database of an earlier release", () => {
  it("keeps its messages, is whole, and is the same as a new one", async () => {
    using database = migrate();
    expect([count(database, "messages"), count(database, "conversation_messages")]).toEqual([1, 1]);
    expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    expect(database.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
    const storage = await openSqliteStorage({ file: join(folder, "new.db") });
    await storage.close();
    using fresh = new DatabaseSync(join(folder, "new.db"));
    const schema = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name";
    expect(database.prepare(schema).all()).toEqual(fresh.prepare(schema).all());
  });

  it("[Q15] deletes an attempt without touching its messages, which are listed to be removed", () => {
    using database = migrate();
    database.exec("DELETE FROM projects");
    expect([count(database, "executions"), count(database, "messages"), count(database, "conversation_messages")]).toEqual([0, 1, 1]);
    expect(database.prepare("SELECT kind, id, task_id FROM deletions ORDER BY kind").all()).toEqual([
      { kind: "attempt", id: "att_1", task_id: "tsk_1" },
      { kind: "execution", id: "exe_1", task_id: "tsk_1" },
      { kind: "task", id: "tsk_1", task_id: "tsk_1" },
    ]);
  });

  it.each(["messages", "conversation_messages"])("the definition of %s cannot be edited afterwards", (table) => {
    using database = migrate();
    database.exec("PRAGMA writable_schema = ON");
    expect(() => database.exec(`UPDATE sqlite_schema SET sql = '' WHERE name = '${table}'`)).toThrow("may not be modified");
  });
});
