import { closeSync, fsyncSync, openSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

/** Writes a complete, consistent copy of the database, which is on disk when this returns. Throws if `to` exists. Blocks the process. */
export function copyDatabase(database: DatabaseSync, to: string): void {
  // Created by us first: SQLite would apply the umask.
  closeSync(openSync(to, "wx", 0o600));
  database.prepare("VACUUM INTO ?").run(to);
  const handle = openSync(to, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** For file names; sorts by time. */
export function toFileTime(at: number): string {
  return new Date(at).toISOString().replace(/[-:.]/g, "");
}

/** Writes a copy next to the database. Returns its path. */
export function backUp(database: DatabaseSync, { file, version, at }: { file: string; version: number; at: number }): string {
  const copy = `${file}.backup-v${version}-${toFileTime(at)}`;
  copyDatabase(database, copy);
  return copy;
}
