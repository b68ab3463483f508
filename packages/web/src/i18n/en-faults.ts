import type { StorageFault } from "@skein/contracts";

/** What keeps the server from storing anything, and what to do about it. */
export const faultsEn = {
  title: "Nothing can be saved at the moment.",
  meanwhile: "You can read everything. Saving resumes automatically once this is fixed.",
  causes: {
    "disk-full": "The disk is full. Free some space on the disk of the data directory.",
    "out-of-inodes": "The disk has no room for more files (it is out of inodes). Delete files that you do not need.",
    "quota-exceeded": "Your disk quota is used up. Free some space, or ask for a larger quota.",
    "read-only":
      "The disk is read-only. Mount the disk of the data directory writable. If the system made it read-only, check it for errors.",
    "no-permission": "Skein has no permission to write to its data directory. Give the directory to the user that runs Skein.",
    "too-many-open-files": "Too many files are open. Stop agents that you do not need, or start Skein with a higher limit (ulimit -n).",
    busy: "The database is locked by another program. Close programs that have it open.",
    damaged: "The database is damaged. Stop the server and restore a backup (skein restore). Agents keep running.",
    "database-missing":
      "The database was deleted, moved away or replaced. Stop the server and run “skein restore”: it lists the copies that are there. Agents keep running.",
    "input-output": "The disk failed to read or write. Check the disk of the data directory.",
    "database-unreachable":
      "The database server cannot be reached. Check that Postgres is running and that this machine can connect to it. Agents keep running.",
    "database-rejected":
      "The database server rejects the connection. Check the user, password, database name and TLS settings in SKEIN_DATABASE_URL.",
    "database-read-only":
      "The database server accepts no writes. It may be a standby: connect to the primary, or wait until the fail-over is complete.",
    "database-disk-full": "The disk of the database server is full. Free some space there.",
    "database-overloaded": "The database server is overloaded. Check its load, its locks and its limit of connections.",
    "database-in-use": "Another Skein server uses this database. Stop that server, or use another database.",
    "lease-lost": "The other servers of this database considered this one lost. It registers again by itself; try again in a moment.",
    other: "The database failed. The server's log has the details.",
  } satisfies Record<StorageFault, string>,
};
