import { createHash, randomUUID } from "node:crypto";
import type { Storage } from "@skein/engine";
import { Client } from "pg";
import { afterAll } from "vitest";
import { migrateDatabase } from "../migrate-database.ts";
import { openPostgresStorage } from "../open-postgres-storage.ts";
import { postgresMigrations } from "../postgres-migrations.ts";

/** A server whose user may create databases. `npm test` starts one; undefined if there is none. */
export const testServerUrl = process.env.SKEIN_TEST_DATABASE_URL || undefined;

export async function runOnServer(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function urlOf(name: string): string {
  const url = new URL(testServerUrl ?? "");
  url.pathname = `/${name}`;
  return url.href;
}

/** Any number: several processes may need the template at once. */
const templateLock = 7_531_902;

/** The name of a database with the present tables, which new ones are copied from. Created by the first process that needs it. */
async function createTemplate(): Promise<string> {
  const schema = createHash("sha256").update(JSON.stringify(postgresMigrations)).digest("hex").slice(0, 16);
  const name = `skein_template_${schema}`;
  const client = new Client({ connectionString: testServerUrl });
  await client.connect();
  try {
    await client.query(`SELECT pg_advisory_lock(${templateLock})`);
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [name]);
    if (rowCount === 1) return name;
    // under another name until it is complete: this process may be killed
    const unfinished = `${name}_unfinished`;
    await client.query(`DROP DATABASE IF EXISTS ${unfinished}`);
    await client.query(`CREATE DATABASE ${unfinished} ENCODING 'UTF8' TEMPLATE template0`);
    const url = urlOf(unfinished);
    const migrating = new Client({ connectionString: url });
    await migrating.connect();
    await migrateDatabase(migrating, { url, migrations: postgresMigrations });
    await migrating.end();
    await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}`);
    return name;
  } finally {
    await client.end();
  }
}

let template: Promise<string> | undefined;

/** The URL of a database with empty tables, as a server leaves it behind that has just been started for the first time. */
export async function createMigratedDatabase(name = newDatabaseName()): Promise<string> {
  template ??= createTemplate();
  await runOnServer(testServerUrl ?? "", `CREATE DATABASE ${name} TEMPLATE ${await template}`);
  return urlOf(name);
}

const newDatabaseName = (): string => `skein_test_${randomUUID().replaceAll("-", "")}`;

/** Also while a server is still connected to it. */
export async function dropDatabase(url: string): Promise<void> {
  await runOnServer(testServerUrl ?? "", `DROP DATABASE IF EXISTS ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
}

/** Empties the tables of a Skein database: creating a new one takes several times as long. */
const emptyDatabase = `
DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename ~ '^conversation_search_\\d+$' LOOP
    EXECUTE 'DROP TABLE ' || name;
  END LOOP;
  -- its rows cannot be deleted
  TRUNCATE audit_entries;
  DELETE FROM projects;
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename NOT IN ('schema_version', 'deletions', 'audit_entries') LOOP
    EXECUTE 'DELETE FROM ' || name;
  END LOOP;
  DELETE FROM deletions;
  FOR name IN SELECT sequencename FROM pg_sequences WHERE schemaname = current_schema() LOOP
    EXECUTE 'ALTER SEQUENCE ' || name || ' RESTART';
  END LOOP;
END $$`;

export interface TestDatabases {
  /** The URL of an empty database, without tables. */
  create(): Promise<string>;
  /** The URL of a database with empty tables. */
  createMigrated(): Promise<string>;
  /** A storage with empty tables. Its database is used again once the storage is closed. */
  open(): Promise<Storage>;
}

/** Databases that are deleted after the tests of the file or block. */
export function createTestDatabases(): TestDatabases {
  const urls: string[] = [];
  const idle: string[] = [];
  afterAll(async () => {
    for (const url of urls) await dropDatabase(url);
  });

  async function create(): Promise<string> {
    const name = newDatabaseName();
    urls.push(urlOf(name));
    await runOnServer(testServerUrl ?? "", `CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`);
    return urlOf(name);
  }

  async function createMigrated(): Promise<string> {
    const name = newDatabaseName();
    urls.push(urlOf(name));
    return createMigratedDatabase(name);
  }

  return {
    create,
    createMigrated,
    async open() {
      const used = idle.pop();
      if (used !== undefined) await runOnServer(used, emptyDatabase);
      const url = used ?? (await createMigrated());
      const storage = await openPostgresStorage({ url });
      return {
        ...storage,
        async close() {
          await storage.close();
          if (!idle.includes(url)) idle.push(url);
        },
      };
    },
  };
}
