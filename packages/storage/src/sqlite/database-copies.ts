import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { NewerSchemaError, UnreadableDatabaseError } from "../errors.ts";
import { copyDatabase } from "./backup.ts";
import { connectReader } from "./connect.ts";
import { checkWhole, inspectDatabase, toOpenError } from "./inspect-database.ts";
import { migrations } from "./migrations.ts";

/** Writes a complete, consistent copy to a new file, even while a server uses the database. Throws `UnreadableDatabaseError`. */
export function copyDatabaseFile({ from, to }: { from: string; to: string }): void {
  if (!existsSync(from)) throw new UnreadableDatabaseError({ file: from, reason: "it does not exist" });
  try {
    using database = connectReader(from);
    copyDatabase(database, to);
  } catch (error) {
    throw toOpenError(from, error);
  }
}

export interface DatabaseContent {
  tasks: number;
  executions: number;
  /** Start of its newest execution (epoch ms); null if there is none. */
  newestAt: number | null;
}

/** Describes a Skein database; reads only counts. Throws `UnreadableDatabaseError` or `NewerSchemaError`. */
export function describeDatabase(file: string): DatabaseContent {
  return readOurs(file, (database) => {
    const count = (table: "tasks" | "executions") => Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
    const newest = database.prepare("SELECT max(started_at) AS at FROM executions").get()?.at;
    return { tasks: count("tasks"), executions: count("executions"), newestAt: typeof newest === "number" ? newest : null };
  });
}

/** The ids of all its executions. */
export function listExecutionIds(file: string): Set<string> {
  return readOurs(
    file,
    (database) =>
      new Set(
        database
          .prepare("SELECT id FROM executions")
          .all()
          .map(({ id }) => String(id)),
      ),
  );
}

/** Reads all pages. Throws `UnreadableDatabaseError` unless it is an intact Skein database. */
export function assertRestorable(file: string): void {
  readOurs(file, () => {});
  const findings = checkWhole(file);
  if (findings.length > 0) throw new UnreadableDatabaseError({ file, reason: "it is damaged", findings });
}

/** Skips sequence numbers that clients have seen: they would ignore new events with these numbers. */
export function skipEventNumbers(file: string, { seenIn }: { seenIn: string | undefined }): void {
  using database = new DatabaseSync(file);
  const own = lastNumber(database);
  database
    .prepare("UPDATE sqlite_sequence SET seq = ? WHERE name = 'events'")
    .run(Math.max(own, findLastNumber(seenIn) ?? own + 1_000_000));
}

function findLastNumber(file: string | undefined): number | undefined {
  try {
    return file === undefined ? undefined : readOurs(file, lastNumber);
  } catch {
    return undefined; // the previous database is gone
  }
}

function lastNumber(database: DatabaseSync): number {
  return Number(database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'events'").get()?.seq ?? 0);
}

function readOurs<T>(file: string, work: (database: DatabaseSync) => T): T {
  if (!existsSync(file)) throw new UnreadableDatabaseError({ file, reason: "it does not exist" });
  try {
    const foundVersion = inspectDatabase(file);
    const knownVersion = migrations.at(-1)?.version ?? 0;
    if (foundVersion > knownVersion) throw new NewerSchemaError({ file, foundVersion, knownVersion });
    if (foundVersion === 0) throw new UnreadableDatabaseError({ file, reason: "it is empty" });
    using database = connectReader(file);
    return work(database);
  } catch (error) {
    throw toOpenError(file, error);
  }
}
