import { chmodSync, constants, copyFileSync, existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { copyDatabaseFile } from "@skein/storage";
import { DataDirError } from "./data-dir-error.ts";

/*
 * A backup is a folder: the database, and next to it what the database does not have. Left out are worktrees and our git dirs, which
 * may be huge and live on in the repositories' branches; and what gives access to this very server (token, sessions, the runners'
 * secret): a restored copy must not bring back a session that was ended since.
 */

export const databaseName = "skein.db";
/** Each a folder of one folder, or file, per execution, which is whole or not there. */
const executionFolders = ["executions", "quarantine", "spill"] as const;
const otherEntries = ["config.json", "mcp-trust.json", "repository-trust.json", "trusted-content", "tool-processors"] as const;

export const toFileTime = (at: number): string => new Date(at).toISOString().replace(/[-:.]/g, "");

/** Where the database of a backup is: a backup is a folder, or, where only the database was wanted, a file. */
export function findBackedUpDatabase(backup: string): string {
  return statSync(backup, { throwIfNoEntry: false })?.isDirectory() ? join(backup, databaseName) : backup;
}

export interface WrittenBackup {
  path: string;
  bytes: number;
}

/**
 * Writes a backup to a new folder, `<data dir>/backups/skein-<time>` unless `to` says where. The server may run, and agents: the
 * database is copied first, so that each log has at least what the database has read of it. Throws `DataDirError` where `to`
 * exists; a failure leaves nothing behind.
 */
export function backUpDataDir(input: { home: string; to?: string | undefined; now?: () => number }): WrittenBackup {
  const path = chooseTarget(input, "");
  const home = resolve(input.home);
  const draft = `${path}.partial`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  try {
    copyDatabaseFile({ from: join(home, databaseName), to: join(draft, databaseName) });
    let bytes = statSync(join(draft, databaseName)).size;
    for (const name of [...executionFolders, ...otherEntries]) bytes += copyEntry(join(home, name), join(draft, name));
    renameSync(draft, path);
    return { path, bytes };
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

/** A copy of the database alone, in a file. */
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

/** What is put back is copied to here first: a restore that is killed leaves nothing half-copied in its place. */
const stagingName = "restoring";

/**
 * Puts back what a backup has besides its database, where it is missing: nothing that is there is overwritten, and each entry is
 * whole or not there. Returns what takes it away again.
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
    // neither a file nor a folder
    if (!existsSync(draft)) return false;
    renameSync(draft, to);
    added.push(to);
    return true;
  };
  // of a restore that was killed
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

/** Files and folders only: a link of an agent's could lead anywhere. Returns the bytes of the files; what is gone has none. */
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
    if ((error as NodeJS.ErrnoException).code === "ENOENT" && !existsSync(from)) return 0; // deleted meanwhile
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
