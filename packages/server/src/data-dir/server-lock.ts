import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { ensurePrivateFile } from "./private-path.ts";

const serverRecordSchema = z.object({ pid: z.int().positive(), url: z.string().nullable(), startedAt: z.int().nonnegative() });

/** Who serves a data dir. `url` is null until it listens. */
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
  /** Tells others where this server listens; its port may be known only then. */
  setUrl(url: string): void;
  release(): void;
}

/** Two starts at the same moment may block each other for an instant; one of them gets through within this time. */
const patienceMs = 300;

/**
 * One server per data dir. The lock is an open exclusive transaction: the kernel ends it with the process, so a
 * `kill -9` leaves nothing to clean up, and a process id that is used again cannot fake an owner.
 * Nothing else in this process may open and close `lock.db` once it exists: closing any handle of a file drops its POSIX locks.
 */
export function acquireServerLock(home: string, options: { url?: string } = {}): ServerLock {
  const path = join(home, "lock.db");
  ensurePrivateDatabase(path);
  const database = new DatabaseSync(path, { timeout: patienceMs });
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (isBusy(error)) throw new ServerAlreadyRunningError(home, findRunningServer(home));
    throw error;
  }
  const startedAt = Date.now();
  const setUrl = (url: string | null) => writeRecord(home, { pid: process.pid, url, startedAt });
  setUrl(options.url ?? null);
  return {
    setUrl,
    release() {
      if (!database.isOpen) return;
      rmSync(recordPath(home), { force: true });
      database.close();
    },
  };
}

/** SQLite would create it with the permissions of the umask. Whoever can open it can lock it, and keep the server from starting. */
function ensurePrivateDatabase(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    ensurePrivateFile(path);
  }
}

/** What the last server wrote; it may be gone since: only the lock tells. */
export function findRunningServer(home: string): ServerRecord | undefined {
  try {
    return serverRecordSchema.parse(JSON.parse(readFileSync(recordPath(home), "utf8")));
  } catch {
    return undefined;
  }
}

function writeRecord(home: string, record: ServerRecord): void {
  const draft = `${recordPath(home)}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(draft, recordPath(home));
}

function recordPath(home: string): string {
  return join(home, "server.json");
}

const sqliteBusy = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === sqliteBusy;
}
