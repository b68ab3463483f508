import type { Storage } from "@skein/engine";
import type { StorageLogger } from "../storage-logger.ts";
import { createSqliteStorage } from "./create-sqlite-storage.ts";
import { migrations } from "./migrations.ts";
import { openDatabase } from "./open-database.ts";
import { assertSqliteVersion } from "./sqlite-version.ts";

export interface SqliteStorageOptions {
  /** Its folder must exist. */
  file: string;
  /** Names the backups made before a migration. */
  now?: () => number;
  logger?: StorageLogger;
}

/**
 * Rejects with `NewerSchemaError`, `UnreadableDatabaseError` or `UnsupportedSqliteError`, and leaves the file as it is then.
 * A database with an older schema is copied to `<file>.backup-v<version>-<time>` and migrated.
 */
export async function openSqliteStorage({ file, now = Date.now, logger }: SqliteStorageOptions): Promise<Storage> {
  assertSqliteVersion();
  const writer = openDatabase({ file, migrations, now, logger });
  return createSqliteStorage({ file, writer, logger });
}
