import { existsSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  assertRestorable,
  copyDatabaseFile,
  type DatabaseContent,
  describeDatabase,
  listExecutionIds,
  openSqliteStorage,
  skipEventNumbers,
} from "@skein/storage";
import { databaseName, findBackedUpDatabase, putBackMissing, toFileTime } from "./back-up-data-dir.ts";
import { DataDirError } from "./data-dir-error.ts";
import { writeLaunches } from "./launch-journal.ts";
import { listFolder } from "./list-folder.ts";
import { openDataDir } from "./open-data-dir.ts";
import { moveAway, syncFolder } from "./replace-database-file.ts";
import { acquireServerLock } from "./server-lock.ts";

export interface DatabaseCopy {
  /** A file, or the folder of a full backup. */
  file: string;
  modifiedAt: number;
  /** Undefined if it cannot be read. */
  content: DatabaseContent | undefined;
}

/** Copies of the database in the data dir, newest first: backups, rescued copies, and databases that were replaced or moved to Postgres. */
export function listDatabaseCopies(home: string): DatabaseCopy[] {
  const root = resolve(home);
  const names = [
    ...listFolder(join(root, "backups")).map((name) => join("backups", name)),
    ...listFolder(root).filter((name) => /^skein\.db\.(backup|rescued|replaced|moved)-/.test(name)),
  ];
  return names
    .filter((name) => !/-(wal|shm|journal)$/.test(name))
    .map((name) => join(root, name))
    .filter((file) => !file.endsWith(".partial") && statSync(findBackedUpDatabase(file), { throwIfNoEntry: false })?.isFile())
    .map((file) => ({ file, modifiedAt: statSync(file).mtimeMs, content: tryDescribe(findBackedUpDatabase(file)) }))
    .toSorted((a, b) => b.modifiedAt - a.modifiedAt);
}

export interface RestoredDatabase extends DatabaseContent {
  /** Path of the previous database; undefined if there was none. */
  replaced: string | undefined;
  /** Executions with logs in the data dir that are not in the restored database. */
  unknownExecutions: number;
  /** Executions whose missing logs were restored. */
  logsPutBack: number;
}

/**
 * Replaces the database by a backup, or by an empty one if `backup` is null. The previous database is kept next to it. Missing files
 * of a full backup are restored; nothing is overwritten. The next server starts nothing that the backup lists as running or queued.
 * Rejects with `ServerAlreadyRunningError` while a server uses the data dir, and with storage errors; a failure changes nothing.
 */
export async function restoreDatabase(input: { home: string; backup: string | null; now?: () => number }): Promise<RestoredDatabase> {
  const dataDir = openDataDir(input.home);
  const { home } = dataDir;
  const lock = acquireServerLock(home);
  try {
    const file = dataDir.file(databaseName);
    const draft = `${file}.restoring`;
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(`${draft}${suffix}`, { force: true });
    if (input.backup === null) await (await openSqliteStorage({ file: draft })).close();
    else copyBackup(findBackedUpDatabase(resolve(input.backup)), file, draft);
    const rest = input.backup === null ? undefined : putBackRest(resolve(input.backup), home);
    const time = toFileTime((input.now ?? Date.now)());
    const replaced = replaceDatabase({ home, file, draft, keepAs: `${file}.replaced-${time}` }, rest?.undo);
    syncFolder(home);
    const known = listExecutionIds(file);
    const unknownExecutions = listFolder(join(home, "executions")).filter((name) => name.startsWith("exe_") && !known.has(name)).length;
    return { ...describeDatabase(file), replaced, unknownExecutions, logsPutBack: rest?.executions ?? 0 };
  } finally {
    lock.release();
  }
}

function putBackRest(backup: string, home: string): ReturnType<typeof putBackMissing> | undefined {
  return statSync(backup).isDirectory() ? putBackMissing(backup, home) : undefined;
}

function replaceDatabase(
  { home, file, draft, keepAs }: { home: string; file: string; draft: string; keepAs: string },
  undo: (() => void) | undefined,
): string | undefined {
  try {
    // this writes: it fails on a full disk while the old database is still in place
    skipEventNumbers(draft, { seenIn: file });
    // from here on, executions that the restored database lists as running are stale
    writeLaunches(home, { epochs: ["restored"], launched: new Set(), deleted: new Set() });
    const replaced = moveAway(file, keepAs);
    renameSync(draft, file);
    return replaced;
  } catch (error) {
    undo?.();
    throw error;
  }
}

function copyBackup(backup: string, file: string, draft: string): void {
  if (existsSync(file) && existsSync(backup) && realpathSync(backup) === realpathSync(file)) {
    throw new DataDirError(`${backup} is the database itself. Name a backup of it.`);
  }
  assertRestorable(backup);
  copyDatabaseFile({ from: backup, to: draft });
}

function tryDescribe(file: string): DatabaseContent | undefined {
  try {
    return describeDatabase(file);
  } catch {
    return undefined;
  }
}
