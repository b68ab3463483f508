import { describeStorageFault, type StorageFault } from "@skein/contracts";

/** The problem and its fix, for users. */
export function toStorageDetail(fault: StorageFault): string {
  const { cause, remedy } = describeStorageFault(fault);
  return `${cause} ${remedy}`;
}
