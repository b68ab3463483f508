import type { DatabaseSync } from "node:sqlite";
import type { SequencedEvent } from "@skein/contracts";
import type { Storage, StorageDamage, StorageReader, StorageTransaction } from "@skein/engine";
import { Kysely } from "kysely";
import { createReader } from "../create-reader.ts";
import { createTransaction } from "../create-transaction.ts";
import type { Database } from "../database.ts";
import { StorageUnavailableError } from "../errors.ts";
import { EventPublisher } from "../event-publisher.ts";
import type { StorageLogger } from "../storage-logger.ts";
import { connectReader } from "./connect.ts";
import { watchDatabase } from "./database-watch.ts";
import { GroupCommit, type OpenWork } from "./group-commit.ts";
import { createNodeSqliteDialect } from "./node-sqlite-dialect.ts";
import { Snapshots } from "./snapshots.ts";
import { sqliteFullTextIndex } from "./sqlite-full-text-index.ts";
import { createWalSync } from "./wal-sync.ts";

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

function toUnavailable({ kind, message }: StorageDamage): StorageUnavailableError {
  const fault = kind === "missing" || kind === "replaced" ? "database-missing" : "damaged";
  return new StorageUnavailableError(fault, message, { cause: undefined });
}

/** Takes over `writer`, the only connection that writes, and closes it. */
export function createSqliteStorage({
  file,
  writer,
  logger,
}: {
  file: string;
  writer: DatabaseSync;
  logger?: StorageLogger | undefined;
}): Storage {
  const reader = connectReader(file);
  const writerDb = new Kysely<Database>({ dialect: createNodeSqliteDialect(writer, { needsTransaction: true }) });
  const publisher = new EventPublisher(logger);
  const wal = createWalSync(file);
  const watch = watchDatabase({ file, wal, reader, now: Date.now, logger });
  const commits = new GroupCommit<StorageTransaction, SequencedEvent>({
    database: writer,
    open: () => openWork(writerDb),
    sync: wal.sync,
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
    await wal.close();
    // The writer goes last: the last connection moves the WAL into the database.
    reader.close();
    writer.close();
    watch.close();
  }

  return {
    kind: "sqlite",
    read: toReader(reader),
    snapshot: (work) => snapshots.run(work),
    transaction: (work, options) =>
      watch.damage === undefined ? commits.submit(work, options) : Promise.reject(toUnavailable(watch.damage)),
    inspect: () => watch.look(),
    onCommitted: (listener) => publisher.subscribe(listener),
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}
