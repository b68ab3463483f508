import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrations } from "../sqlite/migrations.ts";
import { applyMigration } from "../sqlite/open-database.ts";
import { createTestDatabases, testServerUrl } from "./__fixtures__/test-databases.ts";
import { migrateDatabase } from "./migrate-database.ts";
import { postgresMigrations } from "./postgres-migrations.ts";

interface SqliteObject {
  type: string;
  name: string;
  sql: string;
}

/** The schema after all SQLite migrations, without the full-text index. */
function listSqliteObjects(): SqliteObject[] {
  using database = new DatabaseSync(":memory:");
  for (const migration of migrations) applyMigration(database, migration);
  const rows = database.prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'").all();
  return (rows as unknown as SqliteObject[]).filter(({ name }) => !name.startsWith("conversation_search"));
}

function toPostgresSql({ sql }: SqliteObject): string {
  return sql
    .replace(/\bINTEGER PRIMARY KEY AUTOINCREMENT\b/g, "INTEGER PRIMARY KEY")
    .replace(/\bTEXT\b/g, 'text COLLATE "C"')
    .replace(/\bINTEGER\b/g, "bigint")
    .replace(/\bREAL\b/g, "double precision")
    .replace(/\)\s*STRICT(, WITHOUT ROWID)?$/, ")");
}

/** Every table, column, constraint and index of a schema, each as a line. */
async function describeSchema(client: Client, schema: string): Promise<string[]> {
  await client.query(`SET search_path = ${schema}`);
  const { rows } = await client.query<{ line: string }>(`
    WITH tables AS (SELECT oid, relname FROM pg_class WHERE relnamespace = '${schema}'::regnamespace AND relkind = 'r')
    SELECT relname || '.' || attname || ' ' || format_type(atttypid, atttypmod) || coalesce(' ' || collname, '')
        || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END || coalesce(' DEFAULT ' || pg_get_expr(adbin, adrelid), '') AS line
      FROM tables JOIN pg_attribute ON attrelid = tables.oid AND attnum > 0 AND NOT attisdropped
      LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum LEFT JOIN pg_collation ON pg_collation.oid = attcollation
    UNION ALL SELECT relname || ' ' || pg_get_constraintdef(pg_constraint.oid) FROM tables JOIN pg_constraint ON conrelid = tables.oid
    UNION ALL SELECT replace(pg_get_indexdef(indexrelid), '${schema}.', '') FROM tables JOIN pg_index ON indrelid = tables.oid
      WHERE NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)`);
  return rows.map(({ line }) => line).sort();
}

/** What only Postgres has. */
const ownLines =
  /^(?:CREATE (?:UNIQUE )?INDEX \w+ ON )?(schema_version|nodes|cluster|browser_sessions|shared_settings|node_commits|ingest_entries\.rowid)\b/;

describe.skipIf(testServerUrl === undefined)("[W1] the schema of Postgres", () => {
  const databases = createTestDatabases();
  let client: Client;
  let objects: SqliteObject[];

  beforeAll(async () => {
    const url = await databases.create();
    client = new Client({ connectionString: url });
    await client.connect();
    await migrateDatabase(client, { url, migrations: postgresMigrations });
    objects = listSqliteObjects();
    await client.query("CREATE SCHEMA translated; SET search_path = translated");
    await client.query("CREATE FUNCTION json_valid(value text) RETURNS boolean LANGUAGE sql AS 'SELECT true'");
    // a table that was added later may be referred to by an earlier one
    const refersTo = (object: SqliteObject, name: string) => new RegExp(`REFERENCES ${name}\\b`).test(object.sql);
    const created = new Set<string>();
    const create = async (object: SqliteObject): Promise<void> => {
      if (object.type === "trigger" || created.has(object.name)) return;
      created.add(object.name);
      for (const other of objects) if (other.type === "table" && refersTo(object, other.name)) await create(other);
      await client.query(toPostgresSql(object));
    };
    for (const object of objects) await create(object);
  });
  afterAll(() => client.end());

  it("has the version of SQLite's, and a migration for each number after its first", () => {
    const first = postgresMigrations[0]?.version ?? 0;
    expect(postgresMigrations.map(({ version }) => version)).toEqual(
      migrations.map(({ version }) => version).filter((version) => version >= first),
    );
  });

  it("has the tables, columns, constraints and indexes of SQLite's", async () => {
    const own = (await describeSchema(client, "public")).filter((line) => !ownLines.test(line) && !line.includes("schema_version"));
    const translated = await describeSchema(client, "translated");
    expect(translated.length).toBeGreaterThan(200);
    // identity columns have no default expression in either
    expect(own).toEqual(translated);
  });

  it("has the triggers of SQLite's", async () => {
    const { rows } = await client.query<{ tgname: string }>("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal");
    const names = objects.filter(({ type }) => type === "trigger").map(({ name }) => name);
    expect(rows.map(({ tgname }) => tgname).sort()).toEqual(names.sort());
  });
});
