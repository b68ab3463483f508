import { statfsSync } from "node:fs";
import type { StorageFault } from "@skein/contracts";

/** Finds the actual cause: a disk without inodes is reported as full, and SQLite reports files it cannot create as I/O errors. */
export function refineFault(fault: StorageFault, home: string): StorageFault {
  if (fault !== "disk-full" && fault !== "input-output") return fault;
  try {
    const { files, ffree, bavail } = statfsSync(home);
    if (files > 0 && ffree === 0) return "out-of-inodes";
    return bavail === 0 ? "disk-full" : fault;
  } catch {
    return fault;
  }
}
