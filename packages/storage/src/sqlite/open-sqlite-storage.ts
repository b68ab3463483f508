import type { DatabaseSync } from "node:sqlite";
import { findStorageFault } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import type { StorageLogger } from "../storage-logger.ts";
import { connectReaderWithoutWriting } from "./connect.ts";
import { createSqliteStorage } from "./create-sqlite-storage.ts";
import { applicationId } from "./database-header.ts";
import { migrations } from "./migrations.ts";
import { openDatabase } from "./open-database.ts";
import { assertSqliteVersion } from "./sqlite-version.ts";

export interface SqliteStorageOptions {
  /** Its folder must exist. */
  file: string;
  /** Names the backups made before a migration. */
  now?: () => number;
  logger?: StorageLogger;
  /** Called before the database is opened for writing, at the start or later. What it throws keeps the storage read-only. */
  beforeWriting?: () => void;
}

/**
 * Rejects with `NewerSchemaError`, `UnreadableDatabaseError` or `UnsupportedSqliteError`, and leaves the file as it is then.
 * A database with an older schema is copied to `<file>.backup-v<version>-<time>` and migrated.
 *
 * Where the disk is full, read-only or cannot be written for another reason that may pass, an existing database is opened for
 * reading: transactions reject with `StorageUnavailableError`, and each first tries again to open it for writing.
 */
export async function openSqliteStorage(options: SqliteStorageOptions): Promise<Storage> {
  assertSqliteVersion();
  const { file, now = Date.now, logger, beforeWriting = () => {} } = options;
  const openWriter = (): DatabaseSync => {
    beforeWriting();
    return openDatabase({ file, migrations, now, logger });
  };
  try {
    return createSqliteStorage({ file, writer: openWriter(), openWriter, logger });
  } catch (error) {
    if (!mayPass(error) || !isReadable(file)) throw error;
    return createSqliteStorage({ file, writer: undefined, openWriter, logger });
  }
}

function mayPass(error: unknown): boolean {
  const fault = findStorageFault(error);
  return fault !== undefined && fault !== "damaged" && fault !== "other";
}

/** Whether it has the schema that the queries are written for: what is not migrated cannot be read. */
function isReadable(file: string): boolean {
  try {
    using database = connectReaderWithoutWriting(file);
    const read = (name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
    return read("application_id") === applicationId && read("user_version") === migrations.at(-1)?.version;
  } catch {
    return false;
  }
}
