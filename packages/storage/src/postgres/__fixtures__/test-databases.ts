import { randomUUID } from "node:crypto";
import type { Storage } from "@skein/engine";
import { Client } from "pg";
import { afterAll } from "vitest";
import { openPostgresStorage } from "../open-postgres-storage.ts";

/** A server whose user may create databases. `npm test` starts one; undefined if there is none. */
export const testServerUrl = process.env.SKEIN_TEST_DATABASE_URL || undefined;

export async function runOnServer(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
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
  /** The URL of an empty database. */
  create(): Promise<string>;
  /** A storage with empty tables. Its database is used again once the storage is closed. */
  open(): Promise<Storage>;
}

/** Databases that are deleted after the tests of the file or block. */
export function createTestDatabases(): TestDatabases {
  const names: string[] = [];
  const idle: string[] = [];
  const serverUrl = testServerUrl ?? "";
  afterAll(async () => {
    for (const name of names) await runOnServer(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });

  async function create(): Promise<string> {
    const name = `skein_test_${randomUUID().replaceAll("-", "")}`;
    names.push(name);
    await runOnServer(serverUrl, `CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`);
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    return url.href;
  }

  return {
    create,
    async open() {
      const used = idle.pop();
      if (used !== undefined) await runOnServer(used, emptyDatabase);
      const url = used ?? (await create());
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
