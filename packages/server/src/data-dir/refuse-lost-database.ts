import { statSync } from "node:fs";
import { join } from "node:path";
import { DataDirError } from "./data-dir-error.ts";
import { listFolder } from "./list-folder.ts";

/**
 * Rejects a missing or empty database next to files that belong to it: a new database would know none of them, and SQLite would
 * discard the WAL. Throws `DataDirError`; a new data dir passes.
 */
export function refuseLostDatabase(home: string): void {
  const file = join(home, "skein.db");
  if (sizeOf(file) > 0) return;
  const copies = listFolder(home).filter((name) => /^skein\.db\.(backup|rescued|replaced)-/.test(name) && !/-(wal|shm)$/.test(name)).length;
  const traces = [
    ...listTraces(home),
    ...(sizeOf(`${file}-wal`) > 0 ? ["the database's WAL (skein.db-wal)"] : []),
    ...(copies > 0 ? [`${count(copies, "copy")} of the database`] : []),
  ];
  const moved = listFolder(home).filter((name) => /^skein\.db\.moved-/.test(name) && !/-(wal|shm)$/.test(name));
  if (moved.length > 0) {
    throw new DataDirError(
      `The database of ${home} was moved to Postgres. Start Skein with SKEIN_DATABASE_URL, or set databaseUrl in config.json. ` +
        "To move it back: skein move --from <url>",
    );
  }
  if (traces.length === 0) return;
  const state = sizeOf(file) === 0 && listFolder(home).includes("skein.db") ? "empty" : "missing";
  throw new DataDirError(
    `The database ${file} is ${state}, but ${home} has ${traces.join(", ")}. Nothing was changed. ` +
      "Put the file back, or restore a backup: `skein restore` lists those that it finds. " +
      "To begin with an empty database and keep all of this: skein restore --empty",
  );
}

/** What a data dir has that belongs to a database: logs and worktrees, in words. */
export function listTraces(home: string): string[] {
  const executions = listFolder(join(home, "executions")).filter((name) => name.startsWith("exe_")).length;
  const worktrees = listFolder(join(home, "worktrees")).length;
  return [
    ...(executions > 0 ? [`the logs of ${count(executions, "execution")}`] : []),
    ...(worktrees > 0 ? [count(worktrees, "worktree")] : []),
  ];
}

function count(number: number, what: "execution" | "worktree" | "copy"): string {
  if (number === 1) return `1 ${what}`;
  return `${number} ${what === "copy" ? "copies" : `${what}s`}`;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
