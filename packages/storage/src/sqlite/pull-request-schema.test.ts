import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { attemptIdSchema, taskIdSchema } from "@skein/contracts";
import { buildPullRequest } from "@skein/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { migrations } from "./migrations.ts";
import { openDatabase } from "./open-database.ts";
import { openSqliteStorage } from "./open-sqlite-storage.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "skein-pull-requests-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("[G7] attempts of an earlier release have no pull request, and their landings and lists are read as before", async () => {
  const file = join(folder, "skein.db");
  {
    using database = openDatabase({ file, migrations: migrations.filter(({ version }) => version < 18), now: Date.now });
    database.exec(`
      INSERT INTO projects (id, name, path, created_at, updated_at) VALUES ('prj_1', 'p', '/p', 1, 1);
      INSERT INTO tasks (id, project_id, title, description, status, priority, tags, position, created_at, updated_at)
        VALUES ('tsk_1', 'prj_1', 't', '', 'todo', 'none', '[]', 1, 1, 1);
      INSERT INTO attempts (id, task_id, number, agent, permission_mode, isolation, directory, active, created_at, updated_at)
        VALUES ('att_1', 'tsk_1', 1, 'native', 'ask', 'in-place', '/', 1, 1, 1);
      INSERT INTO landings (attempt_id, method, branch, commit_id, previous_id, head_id, landed_at)
        VALUES ('att_1', 'squash', 'main', '${"a".repeat(40)}', '${"b".repeat(40)}', '${"c".repeat(40)}', 5);
    `);
  }
  const storage = await openSqliteStorage({ file });
  const [attemptId, taskId] = [attemptIdSchema.parse("att_1"), taskIdSchema.parse("tsk_1")];
  expect(await storage.read.findPullRequest({ attemptId })).toBeUndefined();
  expect(await storage.read.listWatchedPullRequests({ limit: 1 })).toEqual([]);
  expect(await storage.read.findLanding({ attemptId })).toMatchObject({ method: "squash", landedAt: 5 });
  expect((await storage.read.listActivities({ taskIds: [taskId] })).get(taskId)).toMatchObject({ attempts: 1, pullRequests: [] });
  await storage.close();
  using database = new DatabaseSync(file);
  expect(database.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
});

it("[E12, G7] pull requests of an earlier release are in no inbox, and are read as before", async () => {
  const file = join(folder, "skein.db");
  const { pullRequest, ...stored } = buildPullRequest();
  {
    using database = openDatabase({ file, migrations: migrations.filter(({ version }) => version < 19), now: Date.now });
    database.exec("PRAGMA foreign_keys = OFF");
    const { forge, host, repository, number, url, state } = pullRequest;
    database
      .prepare("INSERT INTO pull_requests VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, 0)")
      .run(
        ...[stored.attemptId, stored.taskId, forge, host, repository, number, url, state, JSON.stringify(pullRequest)],
        ...[JSON.stringify(stored.sent), stored.nextCheckAt, stored.seenAt],
      );
  }
  const storage = await openSqliteStorage({ file });
  expect(await storage.read.findPullRequest({ attemptId: stored.attemptId })).toEqual({ ...stored, pullRequest });
  expect(await storage.read.listInboxItems()).toEqual([]);
  await storage.close();
});
