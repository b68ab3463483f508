import type { DatabaseSync } from "node:sqlite";
import type { SequencedEvent } from "@skein/contracts";
import type { Storage, StorageReader, StorageTransaction } from "@skein/engine";
import { Kysely } from "kysely";
import { createReader } from "../create-reader.ts";
import { createTransaction } from "../create-transaction.ts";
import type { Database } from "../database.ts";
import { EventPublisher } from "../event-publisher.ts";
import type { StorageLogger } from "../storage-logger.ts";
import { connectReader } from "./connect.ts";
import { GroupCommit, type OpenWork } from "./group-commit.ts";
import { migrations } from "./migrations.ts";
import { createNodeSqliteDialect } from "./node-sqlite-dialect.ts";
import { openDatabase } from "./open-database.ts";
import { Snapshots } from "./snapshots.ts";
import { sqliteFullTextIndex } from "./sqlite-full-text-index.ts";
import { assertSqliteVersion } from "./sqlite-version.ts";

export interface SqliteStorageOptions {
  /** Its folder must exist. */
  file: string;
  /** Names the backups made before a migration. */
  now?: () => number;
  logger?: StorageLogger;
}

function toReader(database: DatabaseSync): StorageReader {
  const db = new Kysely<Database>({ dialect: createNodeSqliteDialect(database, { needsTransaction: false }) });
  return createReader({ db: () => db, fullText: sqliteFullTextIndex });
}

function openWork(db: Kysely<Database>): OpenWork<StorageTransaction, SequencedEvent> {
  let ended = false;
  const written: SequencedEvent[] = [];
  const context = {
    db() {
      if (ended) throw new Error("The transaction is over: await everything that it does inside its work.");
      return db;
    },
    fullText: sqliteFullTextIndex,
  };
  const transaction = createTransaction(context, (event) => written.push(event));
  return {
    transaction,
    written,
    end() {
      ended = true;
    },
  };
}

/**
 * Rejects with `NewerSchemaError`, `UnreadableDatabaseError` or `UnsupportedSqliteError`, and leaves the file as it is then.
 * A database with an older schema is copied to `<file>.backup-v<version>-<time>` and migrated.
 */
export async function openSqliteStorage({ file, now = Date.now, logger }: SqliteStorageOptions): Promise<Storage> {
  assertSqliteVersion();
  const writer = openDatabase({ file, migrations, now, logger });
  const reader = connectReader(file);
  const writerDb = new Kysely<Database>({ dialect: createNodeSqliteDialect(writer, { needsTransaction: true }) });
  const publisher = new EventPublisher(logger);
  const commits = new GroupCommit<StorageTransaction, SequencedEvent>({
    database: writer,
    open: () => openWork(writerDb),
    publish: (events) => publisher.publish(events),
  });
  const snapshots = new Snapshots(() => {
    const database = connectReader(file);
    return { database, reader: toReader(database) };
  });
  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    await commits.close();
    await snapshots.close();
    // The writer goes last: the last connection moves the WAL into the database.
    reader.close();
    writer.close();
  }

  return {
    kind: "sqlite",
    read: toReader(reader),
    snapshot: (work) => snapshots.run(work),
    transaction: (work, options) => commits.submit(work, options),
    onCommitted: (listener) => publisher.subscribe(listener),
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}
