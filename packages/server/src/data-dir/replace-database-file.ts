import { closeSync, existsSync, fsyncSync, openSync, renameSync } from "node:fs";

/** Moves a database with its WAL, under a name that SQLite associates with it. Undefined if there was none. */
export function moveAway(file: string, to: string): string | undefined {
  // the WAL first: without it the database would be an older one, and it would corrupt a new database
  for (const suffix of ["-wal", "-shm", ""]) if (existsSync(`${file}${suffix}`)) renameSync(`${file}${suffix}`, `${to}${suffix}`);
  return existsSync(to) || existsSync(`${to}-wal`) ? to : undefined;
}

/** Makes renames in a folder survive a power cut. */
export function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, "r");
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // not supported by every system
  }
}
