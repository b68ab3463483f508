import { closeSync, fsyncSync, openSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

/** A whole, consistent copy beside the database, on the disk when this returns. Returns its name. */
export function backUp(database: DatabaseSync, { file, version, at }: { file: string; version: number; at: number }): string {
  const timestamp = new Date(at).toISOString().replace(/[-:.]/g, "");
  const copy = `${file}.backup-v${version}-${timestamp}`;
  // Created by us first: SQLite would make it readable for everybody that the umask allows.
  closeSync(openSync(copy, "wx", 0o600));
  database.prepare("VACUUM INTO ?").run(copy);
  const handle = openSync(copy, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  return copy;
}
