import { closeSync, openSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { NewerSchemaError } from "../errors.ts";
import type { StorageLogger } from "../storage-logger.ts";
import { backUp } from "./backup.ts";
import { connectWriter } from "./connect.ts";
import { applicationId } from "./database-header.ts";
import { inspectDatabase, toOpenError } from "./inspect-database.ts";
import type { Migration } from "./migrations.ts";

/** Node 22 has no such method, and its connections are not defensive. */
function setDefensive(database: { enableDefensive?: DatabaseSync["enableDefensive"] }, isDefensive: boolean): void {
  database.enableDefensive?.(isDefensive);
}

export function applyMigration(database: DatabaseSync, { version, sql, editsDefinitions = false }: Migration): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    setDefensive(database, !editsDefinitions);
    database.exec(sql);
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version};`);
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  } finally {
    setDefensive(database, true);
  }
}

export interface OpenDatabaseOptions {
  file: string;
  migrations: readonly Migration[];
  now: () => number;
  logger?: StorageLogger | undefined;
}

function openAndMigrate({ file, migrations, now, logger }: OpenDatabaseOptions): DatabaseSync {
  const foundVersion = inspectDatabase(file);
  const knownVersion = migrations.at(-1)?.version ?? 0;
  if (foundVersion > knownVersion) throw new NewerSchemaError({ file, foundVersion, knownVersion });

  // SQLite would apply the umask; the WAL gets the permissions of the database.
  closeSync(openSync(file, "a", 0o600));
  const database = connectWriter(file);
  try {
    if (foundVersion > 0 && foundVersion < knownVersion) {
      const backup = backUp(database, { file, version: foundVersion, at: now() });
      logger?.info({ backup, from: foundVersion, to: knownVersion }, "Migrating the database; a backup was made before");
    }
    for (const migration of migrations) {
      if (migration.version > foundVersion) applyMigration(database, migration);
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens the writing connection to a database with the newest schema; creates or migrates it if needed. */
export function openDatabase(options: OpenDatabaseOptions): DatabaseSync {
  try {
    return openAndMigrate(options);
  } catch (error) {
    throw toOpenError(options.file, error);
  }
}
