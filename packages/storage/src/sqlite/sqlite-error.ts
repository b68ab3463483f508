import { describeStorageFault, findStorageFault, sqliteCodeOf } from "@skein/contracts";
import { StorageConstraintError } from "@skein/engine";
import { StorageUnavailableError } from "../errors.ts";

const constraintCode = 19;

export function isDamage(error: unknown): boolean {
  return sqliteCodeOf(error) !== undefined && findStorageFault(error) === "damaged";
}

/** Converts SQLite errors to those of the storage port; returns other errors unchanged. */
export function toStorageError(error: unknown): unknown {
  const code = sqliteCodeOf(error);
  if (code === undefined || !(error instanceof Error)) return error;
  if (code === constraintCode) {
    return new StorageConstraintError(`The database refused a write that breaks a rule: ${error.message}`, { cause: error });
  }
  const fault = findStorageFault(error) ?? "other";
  const { cause, remedy } = describeStorageFault(fault);
  return new StorageUnavailableError(fault, `${cause} ${remedy} (${error.message})`, { cause: error });
}
