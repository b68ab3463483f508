import type { ClientBase } from "pg";
import { NewerSchemaError, UnreadableDatabaseError } from "../errors.ts";
import type { StorageLogger } from "../storage-logger.ts";
import { migrationLock } from "./advisory-locks.ts";
import type { PostgresMigration } from "./postgres-migrations.ts";

const oldestServer = 140_000;

/** Name of the database for messages, without user and password. */
export function toDatabaseName(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

async function assertSupported(client: ClientBase, name: string): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string }>(
    "SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding",
  );
  const [found] = rows;
  if (Number(found?.version) < oldestServer) {
    throw new UnreadableDatabaseError({ file: name, reason: "Skein needs PostgreSQL 14 or newer", remedy: "Update the server." });
  }
  if (found?.encoding !== "UTF8") {
    const remedy = "Create one with: createdb --encoding UTF8 --template template0 skein";
    throw new UnreadableDatabaseError({ file: name, reason: `its encoding is ${found?.encoding}, and Skein needs UTF8`, remedy });
  }
}

/** The schema version; 0 for an empty database. */
async function readVersion(client: ClientBase, name: string): Promise<number> {
  const { rows } = await client.query<{ ours: boolean; tables: string }>(
    `SELECT to_regclass('schema_version') IS NOT NULL AS ours,
       (SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()) AS tables`,
  );
  if (rows[0]?.ours) {
    const found = await client.query<{ version: number }>("SELECT version FROM schema_version");
    return Number(found.rows[0]?.version ?? 0);
  }
  if (Number(rows[0]?.tables) > 0) {
    const remedy = "Create a database for Skein alone, and use its URL.";
    throw new UnreadableDatabaseError({ file: name, reason: "it belongs to another program", remedy });
  }
  return 0;
}

async function applyMigration(client: ClientBase, { version, sql }: PostgresMigration): Promise<void> {
  try {
    await client.query(`BEGIN; SET LOCAL statement_timeout = 0; ${sql};
      CREATE TABLE IF NOT EXISTS schema_version (id bigint PRIMARY KEY CHECK (id = 1), version bigint NOT NULL);
      INSERT INTO schema_version VALUES (1, ${version}) ON CONFLICT (id) DO UPDATE SET version = excluded.version;
      COMMIT`);
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}

/**
 * Creates or migrates the tables. Of several servers that start at once, one does it and the others wait. Each migration is applied
 * completely or not at all. Throws `NewerSchemaError` or `UnreadableDatabaseError` without changing anything.
 */
export async function migrateDatabase(
  client: ClientBase,
  { url, migrations, logger }: { url: string; migrations: readonly PostgresMigration[]; logger?: StorageLogger | undefined },
): Promise<void> {
  const name = toDatabaseName(url);
  await assertSupported(client, name);
  const knownVersion = migrations.at(-1)?.version ?? 0;
  const assertKnown = async (): Promise<number> => {
    const foundVersion = await readVersion(client, name);
    if (foundVersion > knownVersion) {
      const remedy = "Update Skein, or restore a dump that was made before the database was migrated.";
      throw new NewerSchemaError({ file: name, foundVersion, knownVersion, remedy });
    }
    return foundVersion;
  };
  if ((await assertKnown()) === knownVersion) return;
  await client.query(`SELECT pg_advisory_lock(${migrationLock})`);
  try {
    const foundVersion = await assertKnown();
    const open = migrations.filter(({ version }) => version > foundVersion);
    for (const migration of open) await applyMigration(client, migration);
    if (foundVersion > 0 && open.length > 0) logger?.info({ from: foundVersion, to: knownVersion }, "The database was migrated");
  } finally {
    await client.query(`SELECT pg_advisory_unlock(${migrationLock})`).catch(() => {});
  }
}
