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
  /** Used in the names of backups before a migration. */
  now?: () => number;
  logger?: StorageLogger;
  /** Called before the database is opened for writing, at the start or later. If it throws, the storage stays read-only. */
  beforeWriting?: () => void;
}

/**
 * Rejects with `NewerSchemaError`, `UnreadableDatabaseError` or `UnsupportedSqliteError` without changing the file. A database with an
 * older schema is copied to `<file>.backup-v<version>-<time>` and migrated.
 *
 * If the disk is full, read-only or not writable for another transient reason, an existing database is opened for reading:
 * transactions reject with `StorageUnavailableError`, and each first retries to open it for writing.
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

/** Whether it has the current schema: an older one cannot be read without a migration. */
function isReadable(file: string): boolean {
  try {
    using database = connectReaderWithoutWriting(file);
    const read = (name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
    return read("application_id") === applicationId && read("user_version") === migrations.at(-1)?.version;
  } catch {
    return false;
  }
}
