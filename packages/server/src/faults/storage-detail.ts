import { describeStorageFault, type StorageFault } from "@skein/contracts";

/** What is wrong and what to do, for a user. */
export function toStorageDetail(fault: StorageFault): string {
  const { cause, remedy } = describeStorageFault(fault);
  return `${cause} ${remedy}`;
}
