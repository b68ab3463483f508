import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { stat } from "node:fs/promises";
import type { DatabaseSync } from "node:sqlite";
import type { StorageDamage } from "@skein/engine";
import type { StorageLogger } from "../storage-logger.ts";
import { copyDatabase, toFileTime } from "./backup.ts";
import { headerBytes, parseDatabaseHeader } from "./database-header.ts";
import type { WalSync } from "./wal-sync.ts";

/** Detects that the files of an open database were replaced, removed or truncated. SQLite itself does not. */
export interface DatabaseWatch {
  /** Result of the last check. */
  readonly damage: StorageDamage | undefined;
  look(): Promise<StorageDamage | undefined>;
  /** Call after the connections are closed: closing a file drops this process's locks on it. */
  close(): void;
}

export function watchDatabase(input: {
  file: string;
  wal: WalSync;
  /** Still reads the opened files after the names were changed. */
  reader: DatabaseSync;
  now(): number;
  logger?: StorageLogger | undefined;
}): DatabaseWatch {
  const { file, wal } = input;
  const handle = openSync(file, "r");
  // a connection opens the WAL with its first read: it must be open before it can be deleted
  input.reader.prepare("SELECT count(*) FROM sqlite_schema").get();
  let largest = fstatSync(handle).size;
  let damage: StorageDamage | undefined;
  let looking: Promise<StorageDamage | undefined> | undefined;

  async function findKind(): Promise<StorageDamage["kind"] | undefined> {
    const opened = fstatSync(handle);
    const named = await stat(file).catch((error: NodeJS.ErrnoException) => error);
    // any other failure is a disk fault, which reads and writes report
    if (named instanceof Error) return named.code === "ENOENT" || named.code === "ENOTDIR" ? "missing" : undefined;
    if (named.ino !== opened.ino || named.dev !== opened.dev) return "replaced";
    if (!(await wal.isInPlace())) return "missing";
    // the file never shrinks while it is open
    if (opened.size < largest) return "truncated";
    largest = opened.size;
    const header = Buffer.alloc(headerBytes);
    if (opened.size > 0 && readSync(handle, header, 0, headerBytes, 0) > 0 && parseDatabaseHeader(header) === undefined)
      return "overwritten";
    return undefined;
  }

  /** The open files are intact: this is the last chance to copy them. */
  function rescue(): string | undefined {
    const copy = `${file}.rescued-${toFileTime(input.now())}`;
    try {
      copyDatabase(input.reader, copy);
      return copy;
    } catch (error) {
      input.logger?.error({ error, copy }, "The database could not be rescued");
      return undefined;
    }
  }

  async function look(): Promise<StorageDamage | undefined> {
    const kind = await findKind();
    if (kind === damage?.kind) return damage;
    const rescuedTo = kind === "missing" || kind === "replaced" ? (damage?.rescuedTo ?? rescue()) : undefined;
    damage = kind && { kind, message: describe(file, kind, rescuedTo), ...(rescuedTo === undefined ? {} : { rescuedTo }) };
    return damage;
  }

  return {
    get damage() {
      return damage;
    },
    look() {
      looking ??= look().finally(() => {
        looking = undefined;
      });
      return looking;
    },
    close: () => closeSync(handle),
  };
}

const happened: Record<StorageDamage["kind"], string> = {
  missing: "was deleted or moved away while Skein was using it",
  replaced: "was replaced by another file while Skein was using it",
  truncated: "was cut short while Skein was using it",
  overwritten: "was overwritten while Skein was using it",
};

function describe(file: string, kind: StorageDamage["kind"], rescuedTo: string | undefined): string {
  const remedy =
    rescuedTo === undefined
      ? "Stop the server and restore a backup: `skein restore` lists those that it finds."
      : `Everything up to that moment was saved to ${rescuedTo}. Stop the server, then run: skein restore '${rescuedTo}'`;
  return `The database ${file} ${happened[kind]}. Nothing is saved any more; agents keep running, and their logs keep what they report. ${remedy}`;
}
