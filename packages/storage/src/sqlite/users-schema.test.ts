import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { migrations } from "./migrations.ts";
import { applyMigration } from "./open-database.ts";

const migrate = (database: DatabaseSync, isWanted: (version: number) => boolean) => {
  for (const migration of migrations) if (isWanted(migration.version)) applyMigration(database, migration);
};

it("[W5] rows of earlier releases are kept, and were done by nobody", () => {
  using database = new DatabaseSync(":memory:");
  migrate(database, (version) => version < 22);
  database.exec(`
    INSERT INTO projects (id, name, path, created_at, updated_at) VALUES ('prj_1', 'p', '/p', 1, 1);
    INSERT INTO tasks (id, project_id, title, description, status, priority, tags, position, created_at, updated_at)
      VALUES ('tsk_1', 'prj_1', 't', '', 'todo', 'none', '[]', 1, 1, 1);
  `);
  migrate(database, (version) => version >= 22);
  expect(database.prepare("SELECT title, created_by FROM tasks").all()).toEqual([{ title: "t", created_by: null }]);
  expect(database.prepare("SELECT count(*) AS count FROM users").get()).toEqual({ count: 0 });
});

it("[W5] the database itself refuses to change or delete an entry of the audit log", () => {
  using database = new DatabaseSync(":memory:");
  migrate(database, () => true);
  database.exec(
    "INSERT INTO audit_entries (at, caller, action, outcome, subjects, address) VALUES (1, 'instance', 'x', 'done', '[]', 'a')",
  );
  expect(() => database.exec("UPDATE audit_entries SET action = 'y'")).toThrow("never changed");
  expect(() => database.exec("DELETE FROM audit_entries")).toThrow("never deleted");
});
