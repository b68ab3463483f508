/*
 * Why Skein cannot store something, independent of the request. The one place that knows the error codes of the system and of SQLite
 * (the Postgres storage knows its own): storage, server and CLI report the same cause and remedy, and the browser translates them by name.
 * Without zod, so that the browser and the runner can load it.
 */

/** `other`: the database failed for another reason. */
export const storageFaults = [
  "disk-full",
  "out-of-inodes",
  "quota-exceeded",
  "read-only",
  "no-permission",
  "too-many-open-files",
  "busy",
  "damaged",
  "database-missing",
  "input-output",
  "database-unreachable",
  "database-rejected",
  "database-read-only",
  "database-disk-full",
  "database-overloaded",
  "database-in-use",
  "lease-lost",
  "other",
] as const;
/** Why nothing can be stored. */
export type StorageFault = (typeof storageFaults)[number];

const faultOfErrno: Readonly<Record<string, StorageFault>> = {
  ENOSPC: "disk-full",
  EDQUOT: "quota-exceeded",
  EROFS: "read-only",
  EACCES: "no-permission",
  EPERM: "no-permission",
  EMFILE: "too-many-open-files",
  ENFILE: "too-many-open-files",
  EIO: "input-output",
};

/** Primary result codes: https://sqlite.org/rescode.html. */
const faultOfSqliteCode: Readonly<Record<number, StorageFault>> = {
  3: "no-permission", // SQLITE_PERM
  5: "busy",
  6: "busy", // SQLITE_LOCKED
  8: "read-only",
  10: "input-output", // SQLITE_IOERR
  11: "damaged", // SQLITE_CORRUPT
  13: "disk-full",
  14: "input-output", // SQLITE_CANTOPEN
  26: "damaged", // SQLITE_NOTADB
};

/** Messages that programs such as git print in the C locale. */
const faultOfText: readonly (readonly [text: string, fault: StorageFault])[] = [
  ["No space left on device", "disk-full"],
  ["Out of diskspace", "disk-full"], // git, in place of the system's text
  ["Disk quota exceeded", "quota-exceeded"],
  ["Read-only file system", "read-only"],
  ["Too many open files", "too-many-open-files"],
  ["Input/output error", "input-output"],
];

/** SQLite's primary result code. Undefined for other errors. */
export function sqliteCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return undefined;
  return error.errcode & 0xff;
}

/**
 * The fault behind an error of `node:fs`, of `node:sqlite`, of a program (`stderr`), or of an error that names one (`failure`); also if
 * it is the `cause` of another. Undefined for everything else.
 */
export function findStorageFault(error: unknown): StorageFault | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 8; current = current.cause, depth++) {
    const fault = faultOf(current);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOf(error: Error & { code?: unknown; failure?: unknown; stderr?: unknown }): StorageFault | undefined {
  const named = storageFaults.find((fault) => fault === error.failure);
  if (named !== undefined) return named;
  const sqliteCode = sqliteCodeOf(error);
  if (sqliteCode !== undefined) return faultOfSqliteCode[sqliteCode];
  const known = typeof error.code === "string" && Object.hasOwn(faultOfErrno, error.code) ? faultOfErrno[error.code] : undefined;
  if (known !== undefined) return known;
  const { stderr } = error;
  return typeof stderr === "string" ? faultOfText.find(([text]) => stderr.includes(text))?.[1] : undefined;
}

const descriptions: Readonly<Record<StorageFault, { cause: string; remedy: string }>> = {
  "disk-full": {
    cause: "The disk is full.",
    remedy: "Free some space on the disk of the data directory.",
  },
  "out-of-inodes": {
    cause: "The disk has no room for more files (it is out of inodes).",
    remedy: "Delete files that are not needed from the disk of the data directory.",
  },
  "quota-exceeded": {
    cause: "Your disk quota is used up.",
    remedy: "Free some space, or ask for a larger quota.",
  },
  "read-only": {
    cause: "The disk is read-only.",
    remedy: "Mount the disk of the data directory writable. If the system made it read-only by itself, check the disk for errors first.",
  },
  "no-permission": {
    cause: "Skein has no permission to write to its data directory.",
    remedy: "Make the user that runs Skein the owner of the data directory and everything in it.",
  },
  "too-many-open-files": {
    cause: "Too many files are open.",
    remedy: "Close programs or stop agents that are not needed, or start Skein with a higher limit (`ulimit -n`).",
  },
  busy: {
    cause: "The database is locked by another program.",
    remedy: "Close programs that have the database of the data directory open.",
  },
  damaged: {
    cause: "The database is damaged.",
    remedy: "Stop the server and restore a backup (`skein restore`).",
  },
  "database-missing": {
    cause: "The database was deleted, moved away or replaced while Skein was using it.",
    remedy: "Stop the server and run `skein restore`.",
  },
  "input-output": {
    cause: "The disk failed to read or write.",
    remedy: "Check the disk of the data directory.",
  },
  "database-unreachable": {
    cause: "The database server cannot be reached.",
    remedy: "Check that Postgres is running and that this machine can connect to it; Skein reconnects automatically.",
  },
  "database-rejected": {
    cause: "The database server rejects the connection.",
    remedy: "Check the user, password, database name and TLS settings in SKEIN_DATABASE_URL, and that the user may create tables.",
  },
  "database-read-only": {
    cause: "The database server accepts no writes.",
    remedy: "It may be a standby: connect to the primary, or wait until the fail-over is complete. Skein reconnects automatically.",
  },
  "database-disk-full": {
    cause: "The disk of the database server is full.",
    remedy: "Free some space on the database server.",
  },
  "database-overloaded": {
    cause: "The database server is overloaded.",
    remedy: "Check its load, its locks and its limit of connections; Skein tries again automatically.",
  },
  "database-in-use": {
    cause: "Another Skein server uses this database.",
    remedy: "Stop that server, or use another database.",
  },
  "lease-lost": {
    cause: "The other servers of this database considered this one lost.",
    remedy: "It registers again by itself; try again in a moment.",
  },
  other: {
    cause: "The database failed.",
    remedy: "The server's log has the details.",
  },
};

/** One sentence with the cause and one with the remedy. */
export function describeStorageFault(fault: StorageFault): { cause: string; remedy: string } {
  return descriptions[fault];
}
