import { chmodSync, constants, copyFileSync, existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { copyDatabaseFile } from "@skein/storage";
import { DataDirError } from "./data-dir-error.ts";

/*
 * A backup is a folder with the database and the files that it refers to. It does not contain worktrees and our git dirs, which may be
 * huge and whose commits are in the repositories' branches; nor the credentials of this server (token, sessions, runner secret):
 * restoring a copy must not revive a session that has ended.
 */

export const databaseName = "skein.db";
/** Each has one folder or file per execution, which is copied completely or not at all. */
const executionFolders = ["executions", "quarantine", "spill"] as const;
const otherEntries = ["config.json", "mcp-trust.json", "repository-trust.json", "trusted-content", "tool-processors"] as const;

export const toFileTime = (at: number): string => new Date(at).toISOString().replace(/[-:.]/g, "");

/** Path of the database in a backup, which is a folder, or a file if only the database was backed up. */
export function findBackedUpDatabase(backup: string): string {
  return statSync(backup, { throwIfNoEntry: false })?.isDirectory() ? join(backup, databaseName) : backup;
}

export interface WrittenBackup {
  path: string;
  bytes: number;
}

/**
 * Writes a backup to a new folder: `to`, or `<data dir>/backups/skein-<time>`. Server and agents may be running: the database is copied
 * first, so each log has at least what the database has read of it. Throws `DataDirError` if `to` exists; a failure leaves nothing
 * behind.
 */
export function backUpDataDir(input: {
  home: string;
  to?: string | undefined;
  /** False if the database is elsewhere, and was backed up before. */
  withDatabase?: boolean;
  now?: () => number;
}): WrittenBackup {
  const path = chooseTarget(input, "");
  const home = resolve(input.home);
  const draft = `${path}.partial`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  try {
    let bytes = 0;
    if (input.withDatabase ?? true) {
      copyDatabaseFile({ from: join(home, databaseName), to: join(draft, databaseName) });
      bytes += statSync(join(draft, databaseName)).size;
    }
    for (const name of [...executionFolders, ...otherEntries]) bytes += copyEntry(join(home, name), join(draft, name));
    renameSync(draft, path);
    return { path, bytes };
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

/** Copies the database alone, to a file. */
export function backUpDatabase(input: { home: string; to?: string | undefined; now?: () => number }): WrittenBackup {
  const path = chooseTarget(input, ".db");
  try {
    copyDatabaseFile({ from: join(resolve(input.home), databaseName), to: path });
    return { path, bytes: statSync(path).size };
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

function chooseTarget({ home, to, now = Date.now }: { home: string; to?: string | undefined; now?: () => number }, ending: string): string {
  const folder = join(resolve(home), "backups");
  if (to === undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = resolve(to ?? join(folder, `skein-${toFileTime(now())}${ending}`));
  if (existsSync(path)) throw new DataDirError(`${path} exists. Choose another name for the backup.`);
  return path;
}

/** Files are copied here first, so that a killed restore leaves no partial copies. */
const stagingName = "restoring";

/**
 * Restores missing files of a backup, except its database. Never overwrites; each entry is restored completely or not at all. Returns
 * a function that undoes it.
 */
export function putBackMissing(backup: string, home: string): { executions: number; undo(): void } {
  const added: string[] = [];
  const undo = (): void => {
    for (const path of added) rmSync(path, { recursive: true, force: true });
  };
  let executions = 0;
  const staging = join(home, stagingName);
  const put = (name: string): boolean => {
    const to = join(home, name);
    if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) return false;
    const draft = join(staging, basename(name));
    copyEntry(join(backup, name), draft);
    // not a regular file or folder
    if (!existsSync(draft)) return false;
    renameSync(draft, to);
    added.push(to);
    return true;
  };
  // left by a killed restore
  rmSync(staging, { recursive: true, force: true });
  try {
    mkdirSync(staging, { mode: 0o700 });
    for (const folder of executionFolders) {
      const names = list(join(backup, folder));
      if (names.length > 0) mkdirSync(join(home, folder), { recursive: true, mode: 0o700 });
      for (const name of names) if (put(join(folder, name)) && folder === "executions") executions += 1;
    }
    for (const name of otherEntries) if (existsSync(join(backup, name))) put(name);
    return { executions, undo };
  } catch (error) {
    undo();
    throw error;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Copies files and folders only: a link could lead anywhere. Returns the number of bytes; 0 if the path is gone. */
function copyEntry(from: string, to: string): number {
  const entry = lstatSync(from, { throwIfNoEntry: false });
  if (entry?.isDirectory()) {
    mkdirSync(to, { mode: 0o700 });
    return list(from).reduce((bytes, name) => bytes + copyEntry(join(from, name), join(to, name)), 0);
  }
  if (!entry?.isFile()) return 0;
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT" && !existsSync(from)) return 0; // deleted in the meantime
    throw error;
  }
  chmodSync(to, 0o600);
  return entry.size;
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
