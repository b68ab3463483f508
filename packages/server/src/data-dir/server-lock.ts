import { accessSync, closeSync, constants, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { findStorageFault } from "@skein/contracts";
import { StorageUnavailableError } from "@skein/storage";
import { z } from "zod";
import { ensurePrivateFile } from "./private-path.ts";

const serverRecordSchema = z.object({ pid: z.int().positive(), url: z.string().nullable(), startedAt: z.int().nonnegative() });

/** The server of a data dir. `url` is null until it listens. */
export type ServerRecord = z.infer<typeof serverRecordSchema>;

export class ServerAlreadyRunningError extends Error {
  override readonly name = "ServerAlreadyRunningError";
  readonly pid: number | null;
  readonly url: string | null;

  constructor(home: string, first: ServerRecord | undefined) {
    const who = first === undefined ? "Another server" : `Another server (pid ${first.pid})`;
    const where = first?.url ? ` at ${first.url}` : "";
    super(`${who} already uses ${home}${where}. Use that one, stop it first, or start this one with another SKEIN_HOME.`);
    this.pid = first?.pid ?? null;
    this.url = first?.url ?? null;
  }
}

export interface ServerLock {
  /** Publishes the server's address, which may be known only after listening. Returns false if it could not be written. */
  setUrl(url: string): boolean;
  /**
   * Takes the lock if that failed at first: on a read-only disk nothing can be locked or written. Throws if another server has it or
   * it still cannot be taken: this server must not write then.
   */
  ensure(): void;
  release(): void;
}

/** Two concurrent starts may block each other briefly; one of them succeeds within this time. */
const patienceMs = 300;

/**
 * One server per data dir. The lock is an open exclusive transaction: the kernel releases it with the process, so `kill -9` leaves
 * nothing to clean up, and a reused pid cannot fake an owner. Nothing else in this process may open and close `lock.db`: closing any
 * handle of a file drops its POSIX locks. If the disk is not writable, the server runs without the lock: see `ensure`.
 */
export function acquireServerLock(home: string, options: { url?: string } = {}): ServerLock {
  let database: DatabaseSync | undefined;
  try {
    database = lockDatabase(home);
  } catch (error) {
    const fault = findStorageFault(error);
    if (fault === undefined || fault === "damaged") throw error;
  }
  const startedAt = Date.now();
  const setUrl = (url: string | null) => tryWriteRecord(home, { pid: process.pid, url, startedAt });
  setUrl(options.url ?? null);
  return {
    setUrl,
    ensure() {
      try {
        database ??= lockDatabase(home);
      } catch (error) {
        if (!(error instanceof ServerAlreadyRunningError)) throw error;
        throw new StorageUnavailableError("busy", error.message, { cause: error });
      }
    },
    release() {
      if (database?.isOpen !== true) return;
      rmQuietly(recordPath(home));
      database.close();
    },
  };
}

function lockDatabase(home: string): DatabaseSync {
  const path = join(home, "lock.db");
  ensurePrivateDatabase(path);
  // on a read-only disk, several servers would get the lock: SQLite silently takes one that can be shared
  accessSync(path, constants.W_OK);
  const database = new DatabaseSync(path, { timeout: patienceMs });
  try {
    // a journal file could not be written on a full disk
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database.close();
    if (isBusy(error)) throw new ServerAlreadyRunningError(home, findRunningServer(home));
    throw error;
  }
}

/** SQLite would create it with the umask's permissions. Whoever can open it can lock it and block the server. */
function ensurePrivateDatabase(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    ensurePrivateFile(path);
  }
}

/** The record of the last server, which may be gone: only the lock proves that it runs. */
export function findRunningServer(home: string): ServerRecord | undefined {
  try {
    return serverRecordSchema.parse(JSON.parse(readFileSync(recordPath(home), "utf8")));
  } catch {
    return undefined;
  }
}

/** A server without a record still serves clients that know its address. */
function tryWriteRecord(home: string, record: ServerRecord): boolean {
  const draft = `${recordPath(home)}.${process.pid}`;
  try {
    writeFileSync(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 });
    renameSync(draft, recordPath(home));
    return true;
  } catch {
    rmQuietly(draft);
    return false;
  }
}

function rmQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // read-only disk: then it was not created either
  }
}

function recordPath(home: string): string {
  return join(home, "server.json");
}

const sqliteBusy = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === sqliteBusy;
}
