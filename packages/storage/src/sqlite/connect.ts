import { DatabaseSync } from "node:sqlite";

/** How long a statement waits for another process. It blocks this one, so it is short: one server owns the database. */
const busyTimeoutMs = 2000;

/**
 * The connection that writes. Its commits do not wait for the disk: that would block the whole process. Whoever commits waits for
 * a `WalSync` before it tells anybody, so that what was told survives a power cut, as with `synchronous=FULL`. The size limit keeps one large transaction from leaving a large WAL behind for good.
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
