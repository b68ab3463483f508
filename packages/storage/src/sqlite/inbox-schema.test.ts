import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { migrations } from "./migrations.ts";
import { openDatabase } from "./open-database.ts";
import { openSqliteStorage } from "./open-sqlite-storage.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "skein-inbox-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("[E12] what ended in an earlier release is in no inbox, and its approvals are read as before", async () => {
  const file = join(folder, "skein.db");
  {
    using database = openDatabase({ file, migrations: migrations.filter(({ version }) => version < 12), now: Date.now });
    database.exec(`
      INSERT INTO projects (id, name, path, created_at, updated_at) VALUES ('prj_1', 'p', '/p', 1, 1);
      INSERT INTO tasks (id, project_id, title, description, status, priority, tags, position, created_at, updated_at)
        VALUES ('tsk_1', 'prj_1', 't', '', 'todo', 'none', '[]', 1, 1, 1);
      INSERT INTO attempts (id, task_id, number, agent, permission_mode, isolation, directory, active, created_at, updated_at)
        VALUES ('att_1', 'tsk_1', 1, 'native', 'ask', 'in-place', '/', 1, 1, 1);
      INSERT INTO executions (id, task_id, attempt_id, number, status, started_at, ended_at, duration_ms, usage)
        VALUES ('exe_1', 'tsk_1', 'att_1', 1, 'failed', 1, 2, 1, '{}');
      INSERT INTO approvals (id, task_id, attempt_id, execution_id, tool_use_id, tool_name, input, requested_at, status, resolved_at)
        VALUES ('apr_1', 'tsk_1', 'att_1', 'exe_1', 'toolu_1', 'write', '{}', 1, 'expired', 2);
    `);
  }
  const storage = await openSqliteStorage({ file });
  expect(await storage.read.listInboxItems()).toEqual([]);
  expect(await storage.read.listApprovals({})).toMatchObject([{ id: "apr_1", toolName: "write", status: "expired" }]);
  expect((await storage.read.listApprovals({}))[0]).not.toHaveProperty("overwrites");
  await storage.close();
});
