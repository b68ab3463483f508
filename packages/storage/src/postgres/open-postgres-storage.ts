import { setTimeout as wait } from "node:timers/promises";
import type { NodeId, SequencedEvent } from "@skein/contracts";
import type { Storage, StorageReader, StorageTransaction } from "@skein/engine";
import { Kysely, sql } from "kysely";
import { createReader } from "../create-reader.ts";
import type { Database } from "../database.ts";
import { EventPublisher } from "../event-publisher.ts";
import { GroupCommit } from "../group-commit.ts";
import { openWork } from "../open-work.ts";
import type { StorageLogger } from "../storage-logger.ts";
import { EventFeed } from "./event-feed.ts";
import { migrateDatabase } from "./migrate-database.ts";
import { NodeConnection } from "./node-connection.ts";
import { createPostgresDialect, PostgresConnection } from "./postgres-dialect.ts";
import { isConnectionLost, toStorageError } from "./postgres-error.ts";
import { postgresFullTextIndex } from "./postgres-full-text-index.ts";
import { postgresMigrations } from "./postgres-migrations.ts";
import { createPostgresNodes } from "./postgres-nodes.ts";
import { openPostgresPool } from "./postgres-pool.ts";
import { postgresSql } from "./postgres-sql.ts";
import { PostgresWriter, type WriterNode } from "./postgres-writer.ts";

export interface PostgresStorageOptions {
  url: string;
  /** No server may use the database while an exclusive storage is open. */
  exclusive?: boolean;
  /** Opens it for a server, of which there may be several. */
  node?: { id: NodeId; leaseMs: number };
  /** How long to wait for a database server that cannot be reached yet. */
  waitMs?: number;
  logger?: StorageLogger;
}

const postgresDatabase = { fullText: postgresFullTextIndex, dialect: postgresSql };

/** Creates or migrates the tables if needed. Retries until `waitMs` are over: the database server may be starting as well. */
async function prepare(writer: PostgresWriter, { url, waitMs = 0, logger }: PostgresStorageOptions): Promise<void> {
  const until = performance.now() + waitMs;
  for (let delay = 100; ; delay = Math.min(delay * 2, 2000)) {
    try {
      await migrateDatabase(await writer.connect(), { url, migrations: postgresMigrations, logger });
      return;
    } catch (error) {
      if (!isConnectionLost(error) || performance.now() + delay > until) throw toStorageError(error);
      await wait(delay);
    }
  }
}

/**
 * Rejects with `DatabaseUrlError`, `NewerSchemaError`, `UnreadableDatabaseError`, or `StorageUnavailableError` if the server cannot be
 * reached, refuses the connection, or another process uses the database.
 *
 * Once open, a lost connection makes reads and transactions reject with `StorageUnavailableError`; each of them tries to connect again.
 */
export async function openPostgresStorage(options: PostgresStorageOptions): Promise<Storage> {
  const { url, exclusive = false, logger } = options;
  const [lostListeners, changeListeners] = [new Set<() => void>(), new Set<() => void>()];
  const call = (listeners: ReadonlySet<() => void>): void => {
    for (const listener of listeners) listener();
  };
  const node: WriterNode | undefined = options.node && {
    id: options.node.id,
    fence: undefined,
    onLost: () => call(lostListeners),
  };
  const lock = exclusive ? "alone" : "shared";
  const writer = new PostgresWriter({ url, logger, ...(exclusive || node ? { lock } : {}), ...(node ? { node } : {}) });
  try {
    await prepare(writer, options);
  } catch (error) {
    await writer.close();
    throw error;
  }
  const publisher = new EventPublisher(logger);
  const database = { ...postgresDatabase, ...(node ? { nodeId: node.id } : {}) };
  const pool = openPostgresPool(url, database);
  const writerConnection = new PostgresConnection(() => writer.client, writer.noteError);
  const writerDb = new Kysely<Database>({ dialect: createPostgresDialect(async () => writerConnection) });
  const commits = new GroupCommit<StorageTransaction, SequencedEvent>({
    connection: writer,
    open: () => openWork(writerDb, database),
    publish: (events) => (feed === undefined ? publisher.publish(events) : feed.addOwn(events, writer.seqBefore)),
  });
  const read = {
    ...createReader({ ...database, db: () => pool.db }),
    // a message may move between parts of the index
    search: (query: Parameters<StorageReader["search"]>[0]) => pool.snapshot((reader) => reader.search(query)),
  };
  const feed = node && new EventFeed({ publisher, read, logger });
  const connection = node && new NodeConnection({ url, onCommitted: (seq) => feed?.wake(seq), onNodes: () => call(changeListeners) });
  await feed?.start();
  let closing: Promise<void> | undefined;
  return {
    kind: "postgres",
    read,
    snapshot: pool.snapshot,
    transaction: (work, transactionOptions) => commits.submit(work, transactionOptions),
    async measure() {
      const { rows } = await sql<{ bytes: number }>`SELECT pg_database_size(current_database()) AS bytes`.execute(pool.db);
      return rows[0]?.bytes ?? 0;
    },
    // its files belong to the database server
    inspect: async () => undefined,
    ...(node && connection && options.node
      ? {
          nodes: createPostgresNodes({
            ...{ node, connection, lostListeners, changeListeners, leaseMs: options.node.leaseMs },
            write: (work) => commits.submit(() => work(writerDb)),
          }),
        }
      : {}),
    onCommitted: (listener) => publisher.subscribe(listener),
    close() {
      closing ??= commits.close().then(async () => {
        await feed?.close();
        await connection?.close();
        await pool.close();
        await writer.close();
      });
      return closing;
    },
  };
}
