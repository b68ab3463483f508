import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { migrations } from "./migrations.ts";
import { applyMigration } from "./open-database.ts";

const version = 26;
const migrate = (database: DatabaseSync, isWanted: (version: number) => boolean) => {
  for (const migration of migrations) if (isWanted(migration.version)) applyMigration(database, migration);
};

it("[M1] tokens of the previous release are kept with their users, and nothing may use Skein that could not before", () => {
  using database = new DatabaseSync(":memory:");
  database.exec("PRAGMA foreign_keys = ON");
  migrate(database, (one) => one < version);
  database.exec(`
    INSERT INTO projects (id, name, path, created_at, updated_at) VALUES ('prj_1', 'p', '/p', 1, 1);
    INSERT INTO tasks (id, project_id, title, description, status, priority, tags, position, created_at, updated_at)
      VALUES ('tsk_1', 'prj_1', 't', '', 'todo', 'none', '[]', 1, 1, 1);
    INSERT INTO attempts (id, task_id, number, agent, permission_mode, isolation, directory, active, created_at, updated_at)
      VALUES ('att_1', 'tsk_1', 1, 'native', 'ask', 'in-place', '/', 1, 1, 1);
    INSERT INTO users (id, email, name, admin, created_at, updated_at) VALUES ('usr_1', 'ada@example.com', 'Ada', 1, 1, 1);
    INSERT INTO api_tokens (id, user_id, name, token_hash, scope, projects, created_at, expires_at, last_used_at)
      VALUES ('tok_1', 'usr_1', 'ci', 'hash', 'manage', '["prj_1"]', 1, 2, 3);
  `);
  migrate(database, (one) => one >= version);
  expect(database.prepare("SELECT * FROM api_tokens").all()).toEqual([
    {
      ...{ id: "tok_1", user_id: "usr_1", execution_id: null, name: "ci", token_hash: "hash", scope: "manage", projects: '["prj_1"]' },
      ...{ max_depth: null, max_starts: null, max_cost_usd: null, created_at: 1, expires_at: 2, last_used_at: 3 },
    },
  ]);
  expect(database.prepare("SELECT agent_access FROM projects").all()).toEqual([{ agent_access: 0 }]);
  expect(database.prepare("SELECT agent_access FROM attempts").all()).toEqual([{ agent_access: null }]);
  expect(database.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
  // still a token of its user
  database.exec("DELETE FROM users WHERE id = 'usr_1'");
  expect(database.prepare("SELECT count(*) AS count FROM api_tokens").get()).toEqual({ count: 0 });
});
