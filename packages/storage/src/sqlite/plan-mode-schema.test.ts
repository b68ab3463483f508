import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { attemptIdSchema } from "@skein/contracts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { migrations } from "./migrations.ts";
import { openDatabase } from "./open-database.ts";
import { openSqliteStorage } from "./open-sqlite-storage.ts";

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "skein-plan-"));
  file = join(folder, "skein.db");
  using database = openDatabase({ file, migrations: migrations.filter(({ version }) => version < 13), now: Date.now });
  database.exec(`
    INSERT INTO projects (id, name, path, created_at, updated_at) VALUES ('prj_1', 'p', '/p', 1, 1);
    INSERT INTO tasks (id, project_id, title, description, status, priority, tags, position, created_at, updated_at)
      VALUES ('tsk_1', 'prj_1', 't', '', 'todo', 'none', '[]', 1, 1, 1);
    INSERT INTO attempts (id, task_id, number, agent, permission_mode, isolation, directory, active, created_at, updated_at)
      VALUES ('att_1', 'tsk_1', 1, 'native', 'ask', 'in-place', '/', 1, 1, 1);
  `);
});
afterEach(() => rmSync(folder, { recursive: true }));

it("[N3] an attempt of an earlier release keeps its mode and can plan; other modes are still refused", async () => {
  const storage = await openSqliteStorage({ file });
  const attempt = await storage.read.findAttempt({ id: attemptIdSchema.parse("att_1") });
  expect(attempt).toMatchObject({ permissionMode: "ask" });
  expect(attempt).not.toHaveProperty("sessionOptions");
  await storage.close();
  using database = new DatabaseSync(file);
  expect(() => database.exec("UPDATE attempts SET permission_mode = 'whatever'")).toThrow(/CHECK/);
  database.exec("UPDATE attempts SET permission_mode = 'plan'");
  expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  expect(database.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
});
