import { statfsSync } from "node:fs";
import type { StorageFault } from "@skein/contracts";

/** The system reports a disk without inodes as full, and SQLite any file that it cannot create as an I/O error. */
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
