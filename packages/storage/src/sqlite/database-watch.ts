import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { stat } from "node:fs/promises";
import type { DatabaseSync } from "node:sqlite";
import type { StorageDamage } from "@skein/engine";
import type { StorageLogger } from "../storage-logger.ts";
import { copyDatabase, toFileTime } from "./backup.ts";
import { headerBytes, parseDatabaseHeader } from "./database-header.ts";
import type { WalSync } from "./wal-sync.ts";

/** Detects that the files of an open database are no longer those that were opened. SQLite itself does not. */
export interface DatabaseWatch {
  /** As of the last look. */
  readonly damage: StorageDamage | undefined;
  look(): Promise<StorageDamage | undefined>;
  /** After the connections are closed: to close a file drops the locks that this process has on it. */
  close(): void;
}

export function watchDatabase(input: {
  file: string;
  wal: WalSync;
  /** Still reads what was opened when the names lead elsewhere. */
  reader: DatabaseSync;
  now(): number;
  logger?: StorageLogger | undefined;
}): DatabaseWatch {
  const { file, wal } = input;
  const handle = openSync(file, "r");
  // a connection opens the WAL with its first read: it must have it before it can be deleted
  input.reader.prepare("SELECT count(*) FROM sqlite_schema").get();
  let largest = fstatSync(handle).size;
  let damage: StorageDamage | undefined;
  let looking: Promise<StorageDamage | undefined> | undefined;

  async function findKind(): Promise<StorageDamage["kind"] | undefined> {
    const opened = fstatSync(handle);
    const named = await stat(file).catch((error: NodeJS.ErrnoException) => error);
    // any other failure is one of the disk, which reads and writes report
    if (named instanceof Error) return named.code === "ENOENT" || named.code === "ENOTDIR" ? "missing" : undefined;
    if (named.ino !== opened.ino || named.dev !== opened.dev) return "replaced";
    if (!(await wal.isInPlace())) return "missing";
    // it is never made smaller while it is open
    if (opened.size < largest) return "truncated";
    largest = opened.size;
    const header = Buffer.alloc(headerBytes);
    if (opened.size > 0 && readSync(handle, header, 0, headerBytes, 0) > 0 && parseDatabaseHeader(header) === undefined)
      return "overwritten";
    return undefined;
  }

  /** What is still open is whole: it is the last chance to keep it. */
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
