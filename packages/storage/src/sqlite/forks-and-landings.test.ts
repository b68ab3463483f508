import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { attemptIdSchema } from "@skein/contracts";
import { expect, it, onTestFinished } from "vitest";
import { migrations } from "./migrations.ts";
import { openDatabase } from "./open-database.ts";
import { openSqliteStorage } from "./open-sqlite-storage.ts";

const commit = "a".repeat(40);

it("[G3, G5] attempts of an earlier release are no forks; half a point is refused; landings keep their commit", async () => {
  const folder = mkdtempSync(join(tmpdir(), "skein-forks-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "skein.db");
  {
    using database = openDatabase({ file, migrations: migrations.filter(({ version }) => version < 17), now: Date.now });
    database.exec(`
      INSERT INTO projects (id, name, path, created_at, updated_at) VALUES ('prj_1', 'p', '/p', 1, 1);
      INSERT INTO tasks (id, project_id, title, description, status, priority, tags, position, created_at, updated_at)
        VALUES ('tsk_1', 'prj_1', 't', '', 'todo', 'none', '[]', 1, 1, 1);
      INSERT INTO attempts (id, task_id, number, agent, permission_mode, isolation, directory, active, created_at, updated_at)
        VALUES ('att_1', 'tsk_1', 1, 'native', 'ask', 'in-place', '/', 0, 1, 1);
      INSERT INTO attempts (id, task_id, number, agent, permission_mode, isolation, directory, active, created_at, updated_at, continued_from)
        VALUES ('att_2', 'tsk_1', 2, 'native', 'ask', 'in-place', '/', 1, 1, 1, 'att_1');
      INSERT INTO landings VALUES ('att_2', 'fast-forward', 'main', '${commit}', '${"b".repeat(40)}', 1);
    `);
  }
  const storage = await openSqliteStorage({ file });
  expect(await storage.read.findLanding({ attemptId: attemptIdSchema.parse("att_2") })).toMatchObject({ commit, head: commit });
  const attempt = await storage.read.findAttempt({ id: attemptIdSchema.parse("att_2") });
  expect(attempt).toMatchObject({ continuedFrom: "att_1" });
  expect(attempt).not.toHaveProperty("forkedFrom");
  expect(await storage.read.listProjects()).toMatchObject([{ id: "prj_1" }]);
  expect((await storage.read.listProjects())[0]).not.toHaveProperty("autoCommit");
  await storage.close();
  using database = new DatabaseSync(file);
  for (const change of ["forked_execution = 'exe_1'", "forked_place = 'end'", "forked_execution = 'exe_1', forked_place = 'middle'"]) {
    expect(() => database.exec(`UPDATE attempts SET ${change} WHERE id = 'att_2'`), change).toThrow(/CHECK/);
  }
  database.exec("UPDATE attempts SET forked_execution = 'exe_1', forked_place = 'end' WHERE id = 'att_2'");
  expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
});
