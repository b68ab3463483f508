import { StorageConstraintError } from "@skein/engine";

/** Throws if an update changed no row: that is a lost write, not a success. */
export function expectUpdated(result: { numUpdatedRows: bigint }, row: string): void {
  if (result.numUpdatedRows === 0n) throw new StorageConstraintError(`There is no ${row} to update.`);
}
