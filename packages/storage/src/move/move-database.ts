import { rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { Storage } from "@skein/engine";
import { Kysely } from "kysely";
import type { Client } from "pg";
import type { Database } from "../database.ts";
import { openPostgresStorage } from "../postgres/open-postgres-storage.ts";
import { createPostgresDialect, PostgresConnection } from "../postgres/postgres-dialect.ts";
import { toStorageError } from "../postgres/postgres-error.ts";
import { postgresFullTextIndex } from "../postgres/postgres-full-text-index.ts";
import { PostgresWriter } from "../postgres/postgres-writer.ts";
import { connectReaderWithoutWriting } from "../sqlite/connect.ts";
import { migrations } from "../sqlite/migrations.ts";
import { createNodeSqliteDialect } from "../sqlite/node-sqlite-dialect.ts";
import { openDatabase } from "../sqlite/open-database.ts";
import { openSqliteStorage } from "../sqlite/open-sqlite-storage.ts";
import { sqliteFullTextIndex } from "../sqlite/sqlite-full-text-index.ts";
import { CopyDifferenceError, compareRows, copyRows, isEmpty, type OnRows } from "./copy-rows.ts";
import { indexConversations } from "./index-conversations.ts";
import { createPostgresRows, readUsedNumbers as readPostgresNumbers, writeUsedNumbers as writePostgresNumbers } from "./postgres-rows.ts";
import { createSqliteRows, readUsedNumbers, writeUsedNumbers } from "./sqlite-rows.ts";
import { listTableShapes } from "./table-shapes.ts";

export interface MovedDatabase {
  tables: number;
  /** All of them were compared with the original. */
  rows: number;
  /** Whether an earlier move had copied them. */
  wasThere: boolean;
}

/** The target has other data. Nothing was changed. */
export class TargetNotEmptyError extends Error {
  override readonly name = "TargetNotEmptyError";
}

const rowsPerPurge = 1000;

/** Purges the rows of deleted tasks, so that they are not copied. */
async function completeDeletions(storage: Storage): Promise<void> {
  try {
    while (await storage.transaction((tx) => tx.purgeDeleted({ limit: rowsPerPurge })));
  } finally {
    await storage.close();
  }
}

/** Runs `work` on the only connection that may write to the database, in a transaction without a time limit. */
async function inPostgres<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const writer = new PostgresWriter({ url, lock: "alone" });
  try {
    const client = await writer.connect();
    await client.query("SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; BEGIN ISOLATION LEVEL REPEATABLE READ");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    throw toStorageError(error);
  } finally {
    await writer.close();
  }
}

/**
 * Copies a SQLite database to an empty Postgres database and compares every row, in one transaction: all of it is there, or nothing. If
 * an earlier move has copied it, it is only compared. Nothing else may use either database; the SQLite file is not changed, except that
 * it is migrated and pending deletions are completed.
 *
 * Throws `TargetNotEmptyError`, `CopyDifferenceError`, and the errors of opening both.
 */
export async function moveToPostgres(input: { file: string; url: string; onRows?: OnRows }): Promise<MovedDatabase> {
  const { file, url, onRows = () => {} } = input;
  await completeDeletions(await openSqliteStorage({ file }));
  // creates the tables
  await (await openPostgresStorage({ url, exclusive: true })).close();
  // nothing writes to it: the caller holds the lock of the data dir
  using source = connectReaderWithoutWriting(file);
  const tables = listTableShapes(source);
  const from = createSqliteRows(source);
  return await inPostgres(url, async (client) => {
    const to = createPostgresRows(client);
    const wasThere = !(await isEmpty(to, tables));
    if (!wasThere) {
      await copyRows(from, to, tables, onRows);
      await writePostgresNumbers(client, readUsedNumbers(source));
      const connection = new PostgresConnection(() => client);
      const db = new Kysely<Database>({ dialect: createPostgresDialect(async () => connection) });
      await indexConversations(db, postgresFullTextIndex);
    }
    const rows = await compareRows(from, to, tables, onRows).catch((error: unknown) => {
      if (!wasThere || !(error instanceof CopyDifferenceError)) throw error;
      throw new TargetNotEmptyError(`The Postgres database has other data. ${error.message} Nothing was changed. Use an empty database.`);
    });
    return { tables: tables.length, rows, wasThere };
  });
}

/**
 * Copies a Postgres database to a new SQLite file and compares every row. A failure leaves no file. Nothing else may use the database,
 * which is not changed, except that it is migrated and pending deletions are completed.
 */
export async function moveFromPostgres(input: { url: string; file: string; onRows?: OnRows }): Promise<MovedDatabase> {
  const { url, file, onRows = () => {} } = input;
  await completeDeletions(await openPostgresStorage({ url, exclusive: true }));
  const removeFile = (): void => {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(`${file}${suffix}`, { force: true });
  };
  removeFile();
  const target = openDatabase({ file, migrations, now: Date.now });
  try {
    const moved = await inPostgres(url, (client) => fillSqlite(client, target, onRows));
    // checkpoint into the file itself: it is renamed without its WAL
    target.exec("PRAGMA journal_mode = DELETE");
    target.close();
    return moved;
  } catch (error) {
    target.close();
    removeFile();
    throw error;
  }
}

async function fillSqlite(client: Client, target: DatabaseSync, onRows: OnRows): Promise<MovedDatabase> {
  const tables = listTableShapes(target);
  const [from, to] = [createPostgresRows(client), createSqliteRows(target)];
  target.exec("BEGIN IMMEDIATE");
  await copyRows(from, to, tables, onRows);
  writeUsedNumbers(target, await readPostgresNumbers(client), tables);
  const db = new Kysely<Database>({ dialect: createNodeSqliteDialect(target, { needsTransaction: true }) });
  await indexConversations(db, sqliteFullTextIndex);
  target.exec("COMMIT");
  return { tables: tables.length, rows: await compareRows(from, to, tables, onRows), wasThere: false };
}
