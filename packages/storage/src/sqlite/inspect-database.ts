import { existsSync, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { sqliteCodeOf } from "@skein/contracts";
import { UnreadableDatabaseError } from "../errors.ts";
import { connectReader } from "./connect.ts";
import { applicationId, countMissingBytes } from "./database-header.ts";
import { isDamage } from "./sqlite-error.ts";

function readPragma(database: DatabaseSync, name: "application_id" | "user_version"): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
}

/** Reads the whole file, so it runs only after a failure. */
function quickCheck(file: string): string[] {
  try {
    return checkPages(file);
  } catch {
    return [];
  }
}

/** Problems of a database, in SQLite's words; empty if it is intact. Reads all of it. */
export function checkWhole(file: string): string[] {
  try {
    return checkPages(file);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Like `checkWhole`, for a database in use. Throws errors that say nothing about its content: locked, or not readable. */
export function checkDatabase(file: string): string[] {
  try {
    return checkPages(file);
  } catch (error) {
    if (error instanceof Error && isDamage(error)) return [error.message];
    throw error;
  }
}

function checkPages(file: string): string[] {
  using database = connectReader(file);
  const rows = database.prepare("PRAGMA quick_check(5)").all();
  return rows.map((row) => String(row.quick_check)).filter((line) => line !== "ok");
}

/** Converts an error that occurred while opening the database to one that explains the fix. */
export function toOpenError(file: string, error: unknown): unknown {
  if (sqliteCodeOf(error) === undefined || !(error instanceof Error)) return error;
  if (isDamage(error)) {
    const reason = `it is damaged, or no SQLite database (${error.message})`;
    return new UnreadableDatabaseError({ file, reason, findings: quickCheck(file), cause: error });
  }
  return new UnreadableDatabaseError({ file, reason: `it cannot be opened (${error.message})`, cause: error });
}

/** A power cut during a checkpoint also leaves a short file, but then the WAL has the rest. */
function refuseTruncated(file: string): void {
  const missing = countMissingBytes(file);
  if (missing === 0) return;
  const hasWal = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const findings = hasWal ? checkWhole(file) : ["the file ends before its last page"];
  if (findings.length > 0) throw new UnreadableDatabaseError({ file, reason: `it is cut short: ${missing} bytes are missing`, findings });
}

/**
 * The schema version of an existing database; 0 if there is none yet. Read only: a rejected database must stay byte for byte
 * identical, and a writable connection would checkpoint its WAL.
 */
export function inspectDatabase(file: string): number {
  if (!existsSync(file) || statSync(file).size === 0) return 0;
  refuseTruncated(file);
  using database = connectReader(file);
  const version = readPragma(database, "user_version");
  if (readPragma(database, "application_id") === applicationId) return version;
  const tables = Number(database.prepare("SELECT count(*) AS count FROM sqlite_schema").get()?.count);
  if (tables > 0 || version > 0) throw new UnreadableDatabaseError({ file, reason: "it belongs to another program" });
  return 0;
}
