import { closeSync, openSync, readSync, statSync } from "node:fs";

/** "Skei": distinguishes our databases from those of other programs. */
export const applicationId = 0x536b6569;

const magic = "SQLite format 3\0";
export const headerBytes = 100;

export interface DatabaseHeader {
  applicationId: number;
  /** Size of the file after its last checkpoint; 0 if the header does not contain it. */
  bytes: number;
}

/** Undefined if this is not a SQLite database: https://sqlite.org/fileformat.html#the_database_header */
export function parseDatabaseHeader(header: Buffer): DatabaseHeader | undefined {
  if (header.length < headerBytes || header.toString("latin1", 0, magic.length) !== magic) return undefined;
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  // the page count is valid only if the last writer kept it current
  const pages = header.readUInt32BE(24) === header.readUInt32BE(92) ? header.readUInt32BE(28) : 0;
  return { applicationId: header.readUInt32BE(68), bytes: pages * pageSize };
}

/**
 * Number of bytes missing according to the header; 0 if the file is complete. Call it only before a connection is open: closing a file
 * drops this process's locks on it.
 */
export function countMissingBytes(file: string): number {
  const header = Buffer.alloc(headerBytes);
  const handle = openSync(file, "r");
  try {
    const read = readSync(handle, header, 0, headerBytes, 0);
    const found = parseDatabaseHeader(header.subarray(0, read));
    return found === undefined ? 0 : Math.max(0, found.bytes - statSync(file).size);
  } finally {
    closeSync(handle);
  }
}
