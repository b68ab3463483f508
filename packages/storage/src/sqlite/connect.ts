import { accessSync, constants, existsSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

/** How long a statement waits for another process. Short, because it blocks this one: one server owns the database. */
const busyTimeoutMs = 2000;

/**
 * The connection that writes. Its commits do not wait for the disk, which would block the whole process. The committer waits for a
 * `WalSync` before it reports the commit, so that reported commits survive a power cut, as with `synchronous=FULL`. The size limit
 * truncates the WAL after a large transaction. Throws if the file cannot be written.
 */
export function connectWriter(file: string): DatabaseSync {
  refuseReadOnly(file);
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  try {
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 67108864;");
    // fails if the WAL's index is open for reading only
    database.exec("BEGIN IMMEDIATE; ROLLBACK;");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** SQLite opens a file on a read-only disk without an error, for reading only, and the connection stays so when the disk is writable again. */
function refuseReadOnly(file: string): void {
  if (existsSync(file)) accessSync(file, constants.W_OK);
}

export function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Reads committed data and cannot write. */
export function connectReader(file: string): DatabaseSync {
  return new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs });
}

/**
 * Like `connectReader`, if nothing can be created next to the database: on a full or read-only disk SQLite cannot create the WAL
 * index, which it needs to read. Use it only while nothing writes to the database.
 */
export function connectReaderWithoutWriting(file: string): DatabaseSync {
  const url = pathToFileURL(file);
  // immutable: reads the database file alone, which is complete without a WAL; readonly_shm: keeps the index in memory
  url.search = hasContent(`${file}-wal`) ? "?readonly_shm=1" : "?immutable=1";
  return new DatabaseSync(url, { readOnly: true, timeout: busyTimeoutMs });
}

function hasContent(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
