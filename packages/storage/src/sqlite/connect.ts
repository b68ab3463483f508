import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

/** How long a statement waits for another process. It blocks this one, so it is short: one server owns the database. */
const busyTimeoutMs = 2000;

/**
 * The connection that writes. Its commits do not wait for the disk: that would block the whole process. Whoever commits waits for
 * a `WalSync` before it reports the commit, so that what was reported survives a power cut, as with `synchronous=FULL`. The size limit keeps one large transaction from leaving a large WAL behind for good.
 */
export function connectWriter(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  try {
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 67108864;");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Sees what is committed and cannot write. */
export function connectReader(file: string): DatabaseSync {
  return new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs });
}

/**
 * Like `connectReader`, where nothing can be created next to the database: on a full or a read-only disk SQLite cannot make the
 * WAL's index, without which it refuses to read. Only while nobody writes to the database.
 */
export function connectReaderWithoutWriting(file: string): DatabaseSync {
  const url = pathToFileURL(file);
  // immutable: reads the database alone, which is all there is without a WAL; readonly_shm: keeps the index in memory
  url.search = hasContent(`${file}-wal`) ? "?readonly_shm=1" : "?immutable=1";
  return new DatabaseSync(url, { readOnly: true, timeout: busyTimeoutMs });
}

function hasContent(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
