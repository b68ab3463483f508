import { closeSync, fsyncSync, openSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

/** A whole, consistent copy of the database, on the disk when this returns. Throws where `to` exists. Blocks the process. */
export function copyDatabase(database: DatabaseSync, to: string): void {
  // Created by us first: SQLite would make it readable for everybody that the umask allows.
  closeSync(openSync(to, "wx", 0o600));
  database.prepare("VACUUM INTO ?").run(to);
  const handle = openSync(to, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** For names of files: sorts by time. */
export function toFileTime(at: number): string {
  return new Date(at).toISOString().replace(/[-:.]/g, "");
}

/** A copy next to the database. Returns its name. */
export function backUp(database: DatabaseSync, { file, version, at }: { file: string; version: number; at: number }): string {
  const copy = `${file}.backup-v${version}-${toFileTime(at)}`;
  copyDatabase(database, copy);
  return copy;
}
