import type { DatabaseSync } from "node:sqlite";
import { describeStorageFault, findStorageFault, type SequencedEvent } from "@skein/contracts";
import type { Storage, StorageDamage, StorageReader, StorageTransaction } from "@skein/engine";
import { Kysely } from "kysely";
import { createReader } from "../create-reader.ts";
import type { Database } from "../database.ts";
import { StorageUnavailableError } from "../errors.ts";
import { EventPublisher } from "../event-publisher.ts";
import { GroupCommit } from "../group-commit.ts";
import { openWork } from "../open-work.ts";
import type { StorageLogger } from "../storage-logger.ts";
import { connectReader, connectReaderWithoutWriting, isWritable } from "./connect.ts";
import { type DatabaseWatch, watchDatabase } from "./database-watch.ts";
import { createNodeSqliteDialect } from "./node-sqlite-dialect.ts";
import { Snapshots } from "./snapshots.ts";
import { toStorageError } from "./sqlite-error.ts";
import { sqliteFullTextIndex } from "./sqlite-full-text-index.ts";
import { sqliteSql } from "./sqlite-sql.ts";
import { SqliteWriteConnection } from "./sqlite-write-connection.ts";
import { createWalSync } from "./wal-sync.ts";

const sqliteDatabase = { fullText: sqliteFullTextIndex, dialect: sqliteSql };

function toKysely(database: DatabaseSync): Kysely<Database> {
  return new Kysely<Database>({ dialect: createNodeSqliteDialect(database, { needsTransaction: false }) });
}

function toReader(db: () => Kysely<Database>): StorageReader {
  return createReader({ db, ...sqliteDatabase });
}

/** Open connections. Without `commits` the storage is read-only. */
interface Connections {
  reader: DatabaseSync;
  db: Kysely<Database>;
  snapshots: Snapshots<StorageReader>;
  commits: GroupCommit<StorageTransaction, SequencedEvent> | undefined;
  watch: DatabaseWatch | undefined;
  close(): Promise<void>;
}

function openConnections(connect: () => DatabaseSync): Pick<Connections, "db" | "snapshots"> & { reader: DatabaseSync } {
  const reader = connect();
  const snapshots = new Snapshots(() => {
    const database = connect();
    const db = toKysely(database);
    return { database, reader: toReader(() => db) };
  });
  return { reader, db: toKysely(reader), snapshots };
}

function openReadOnly(file: string): Connections {
  const { reader, db, snapshots } = openConnections(() => connectReaderWithoutWriting(file));
  return {
    reader,
    db,
    snapshots,
    commits: undefined,
    watch: undefined,
    async close() {
      await snapshots.close();
      reader.close();
    },
  };
}

function openWhole(file: string, writer: DatabaseSync, publisher: EventPublisher, logger: StorageLogger | undefined): Connections {
  const { reader, db, snapshots } = openConnections(() => connectReader(file));
  const writerDb = new Kysely<Database>({ dialect: createNodeSqliteDialect(writer, { needsTransaction: true }) });
  const wal = createWalSync(file);
  const watch = watchDatabase({ file, wal, reader, now: Date.now, logger });
  const commits = new GroupCommit<StorageTransaction, SequencedEvent>({
    connection: new SqliteWriteConnection(writer, wal.sync),
    open: () => openWork(writerDb, sqliteDatabase),
    publish: (events) => publisher.publish(events),
  });
  return {
    reader,
    db,
    snapshots,
    commits,
    watch,
    async close() {
      await commits.close();
      await snapshots.close();
      await wal.close();
      // The writer is closed last: the last connection checkpoints the WAL.
      reader.close();
      writer.close();
      watch.close();
    },
  };
}

/**
 * Takes ownership of `writer`, the only connection that writes. Without one the storage is read-only until a transaction succeeds in
 * opening one with `openWriter`.
 */
export function createSqliteStorage(options: {
  file: string;
  writer: DatabaseSync | undefined;
  openWriter?: () => DatabaseSync;
  logger?: StorageLogger | undefined;
}): Storage {
  const { file, writer, openWriter, logger } = options;
  const publisher = new EventPublisher(logger);
  let connections = writer === undefined ? openReadOnly(file) : openWhole(file, writer, publisher, logger);
  let recovering: Promise<void> | undefined;
  /** Nothing can be read until it is over. */
  let switching: Promise<void> | undefined;
  let closing: Promise<void> | undefined;

  async function recover(): Promise<void> {
    if (closing !== undefined || openWriter === undefined) throw new Error("The storage is closed.");
    try {
      await recoverBesideReaders(openWriter);
    } catch (error) {
      if (findStorageFault(error) !== "read-only" || !isWritable(file)) throw error;
      switching = recoverAlone(openWriter).finally(() => {
        switching = undefined;
      });
      await switching;
    }
    logger?.info({ file }, "The database can be written again");
  }

  /** Readers in progress keep the old connections until they are done: they must not see the file change. */
  async function recoverBesideReaders(open: () => DatabaseSync): Promise<void> {
    const readOnly = connections;
    connections = openOn(toUnavailable(open));
    await readOnly.close();
  }

  /**
   * A process opens the WAL's index once, for all of its connections. While readers that opened it on a read-only disk are open, nobody
   * else can write.
   */
  async function recoverAlone(open: () => DatabaseSync): Promise<void> {
    await connections.snapshots.close();
    // from here on without a pause: nothing can be read meanwhile
    connections.reader.close();
    try {
      connections = openOn(toUnavailable(open));
    } catch (error) {
      connections = openReadOnly(file);
      throw error;
    }
  }

  function openOn(opened: DatabaseSync): Connections {
    try {
      return openWhole(file, opened, publisher, logger);
    } catch (error) {
      opened.close();
      throw toStorageError(error);
    }
  }

  async function snapshot<T>(work: (reader: StorageReader) => Promise<T>): Promise<T> {
    await switching?.catch(() => {});
    return connections.snapshots.run(work);
  }

  return {
    kind: "sqlite",
    read: {
      ...toReader(() => connections.db),
      // other work may run in between, and a message may move between parts of the index
      search: (query) => snapshot((reader) => reader.search(query)),
    },
    snapshot,
    async transaction(work, options) {
      if (connections.commits === undefined) {
        recovering ??= recover().finally(() => {
          recovering = undefined;
        });
        await recovering;
      }
      const damage = connections.watch?.damage;
      if (damage !== undefined) throw toLost(damage);
      if (connections.commits === undefined) throw new Error("The storage is closed.");
      return connections.commits.submit(work, options);
    },
    inspect: async () => connections.watch?.look(),
    onCommitted: (listener) => publisher.subscribe(listener),
    close() {
      closing ??= (recovering ?? Promise.resolve()).catch(() => {}).then(() => connections.close());
      return closing;
    },
  };
}

function toLost({ kind, message }: StorageDamage): StorageUnavailableError {
  const fault = kind === "missing" || kind === "replaced" ? "database-missing" : "damaged";
  return new StorageUnavailableError(fault, message, { cause: undefined });
}

/** Converts the reason why it cannot be opened for writing to an error of a transaction. */
function toUnavailable(openWriter: () => DatabaseSync): DatabaseSync {
  try {
    return openWriter();
  } catch (error) {
    const fault = findStorageFault(error);
    if (fault === undefined) throw error;
    const { cause, remedy } = describeStorageFault(fault);
    throw new StorageUnavailableError(fault, `${cause} ${remedy}`, { cause: error });
  }
}
