import { existsSync, renameSync, statSync } from "node:fs";
import type { MovedDatabase } from "@skein/storage/postgres";
import { databaseName, toFileTime } from "./back-up-data-dir.ts";
import { DataDirError } from "./data-dir-error.ts";
import { openDataDir } from "./open-data-dir.ts";
import { moveAway, syncFolder } from "./replace-database-file.ts";
import { acquireServerLock } from "./server-lock.ts";

export interface DatabaseMove extends MovedDatabase {
  /** Where the SQLite database is now. */
  file: string;
}

interface MoveInput {
  home: string;
  url: string;
  onRows?(step: "copy" | "compare", table: string, rows: number): void;
  now?(): number;
}

/**
 * Copies the SQLite database of a data dir to Postgres. Afterwards the file has another name, so that no server continues with it. Rejects
 * with `ServerAlreadyRunningError` while a server uses the data dir, and with errors of storage; then nothing is changed.
 */
export async function moveDatabaseToPostgres({ home: folder, url, onRows = () => {}, now = Date.now }: MoveInput): Promise<DatabaseMove> {
  const dataDir = openDataDir(folder);
  const lock = acquireServerLock(dataDir.home);
  try {
    const file = dataDir.file(databaseName);
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) {
      throw new DataDirError(
        `${dataDir.home} has no SQLite database to move. A new one is not needed: start the server with SKEIN_DATABASE_URL.`,
      );
    }
    const { moveToPostgres } = await import("@skein/storage/postgres");
    const moved = await moveToPostgres({ file, url, onRows });
    const kept = `${file}.moved-${toFileTime(now())}`;
    moveAway(file, kept);
    syncFolder(dataDir.home);
    return { ...moved, file: kept };
  } finally {
    lock.release();
  }
}

/** Copies a Postgres database into a data dir without a database. The Postgres database stays as it is. */
export async function moveDatabaseFromPostgres({ home: folder, url, onRows = () => {} }: MoveInput): Promise<DatabaseMove> {
  const dataDir = openDataDir(folder);
  const lock = acquireServerLock(dataDir.home);
  try {
    const file = dataDir.file(databaseName);
    if (existsSync(file)) throw new DataDirError(`${file} exists. Move it to another folder first; nothing was changed.`);
    const draft = `${file}.moving`;
    const { moveFromPostgres } = await import("@skein/storage/postgres");
    const moved = await moveFromPostgres({ file: draft, url, onRows });
    renameSync(draft, file);
    syncFolder(dataDir.home);
    return { ...moved, file };
  } finally {
    lock.release();
  }
}
