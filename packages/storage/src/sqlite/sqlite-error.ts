import { StorageConstraintError } from "@skein/engine";
import { type StorageFailure, StorageUnavailableError } from "../errors.ts";

const primaryCodes = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  inputOutput: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  constraint: 19,
  notADatabase: 26,
};

/** The primary result code: https://sqlite.org/rescode.html. Undefined for what is no error of SQLite. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return undefined;
  return error.errcode & 0xff;
}

export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === primaryCodes.corrupt || code === primaryCodes.notADatabase;
}

function describeFailure(code: number): [StorageFailure, string] {
  switch (code) {
    case primaryCodes.full:
      return ["disk-full", "The disk is full: nothing of this was saved. Free some space and try again."];
    case primaryCodes.readOnly:
      return ["read-only", "The database cannot be written: check the permissions of the data directory and its disk."];
    case primaryCodes.busy:
    case primaryCodes.locked:
      return ["busy", "The database is locked by another program: is a second server using this data directory?"];
    case primaryCodes.corrupt:
    case primaryCodes.notADatabase:
      return ["damaged", "The database is damaged: stop the server and restore a backup."];
    case primaryCodes.inputOutput:
    case primaryCodes.cannotOpen:
      return ["input-output", "The disk failed to read or write the database."];
    default:
      return ["other", "The database failed."];
  }
}

/** Errors of SQLite in the words of the port; every other error as it is. */
export function toStorageError(error: unknown): unknown {
  const code = sqliteCode(error);
  if (code === undefined || !(error instanceof Error)) return error;
  if (code === primaryCodes.constraint) {
    return new StorageConstraintError(`The database refused a write that breaks a rule: ${error.message}`, { cause: error });
  }
  const [failure, message] = describeFailure(code);
  return new StorageUnavailableError(failure, `${message} (${error.message})`, { cause: error });
}
