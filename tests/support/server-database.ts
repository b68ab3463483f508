import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Storage } from "@skein/engine";
import { openSqliteStorage } from "@skein/storage";
import { openPostgresStorage } from "@skein/storage/postgres";
import { createMigratedDatabase, dropDatabase, runOnServer } from "../../packages/storage/src/postgres/__fixtures__/test-databases.ts";

/** The tests of the project `postgres` run their servers on Postgres. */
export const isOnPostgres = process.env.SKEIN_TEST_DATABASE === "postgres";

const urls = new Map<string, Promise<string>>();

/** The environment of Skein's programs that use this data dir. On Postgres it has a database of its own, also after a restart. */
export async function databaseEnvironment(home: string): Promise<Record<string, string>> {
  if (!isOnPostgres) return {};
  const url = urls.get(home) ?? createMigratedDatabase();
  urls.set(home, url);
  return { SKEIN_DATABASE_URL: await url };
}

export async function dropDatabaseOf(home: string): Promise<void> {
  const url = urls.get(home);
  urls.delete(home);
  if (url !== undefined) await dropDatabase(await url);
}

/** The database of a server that has stopped. */
export async function openStorageOf({ home }: { home: string }): Promise<Storage> {
  const { SKEIN_DATABASE_URL: url } = await databaseEnvironment(home);
  return url === undefined ? openSqliteStorage({ file: join(home, "skein.db") }) : openPostgresStorage({ url });
}

/** Runs one statement that both databases understand, next to the server. */
export async function runSql({ home }: { home: string }, statement: string): Promise<Record<string, unknown>[]> {
  const { SKEIN_DATABASE_URL: url } = await databaseEnvironment(home);
  if (url !== undefined) return runOnServer(url, statement);
  using database = new DatabaseSync(join(home, "skein.db"));
  return database.prepare(statement).all();
}
