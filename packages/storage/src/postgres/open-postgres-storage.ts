import { setTimeout as wait } from "node:timers/promises";
import type { SequencedEvent } from "@skein/contracts";
import type { Storage, StorageTransaction } from "@skein/engine";
import { Kysely, sql } from "kysely";
import { createReader } from "../create-reader.ts";
import type { Database } from "../database.ts";
import { EventPublisher } from "../event-publisher.ts";
import { GroupCommit } from "../group-commit.ts";
import { openWork } from "../open-work.ts";
import type { StorageLogger } from "../storage-logger.ts";
import { migrateDatabase } from "./migrate-database.ts";
import { createPostgresDialect, PostgresConnection } from "./postgres-dialect.ts";
import { isConnectionLost, toStorageError } from "./postgres-error.ts";
import { postgresFullTextIndex } from "./postgres-full-text-index.ts";
import { postgresMigrations } from "./postgres-migrations.ts";
import { openPostgresPool } from "./postgres-pool.ts";
import { postgresSql } from "./postgres-sql.ts";
import { PostgresWriter } from "./postgres-writer.ts";

export interface PostgresStorageOptions {
  url: string;
  /** Only one exclusive storage can be open per database: the server's. */
  exclusive?: boolean;
  /** How long to wait for a database server that cannot be reached yet. */
  waitMs?: number;
  logger?: StorageLogger;
}

const postgresDatabase = { fullText: postgresFullTextIndex, dialect: postgresSql };

/** Creates or migrates the tables if needed. A server that starts with the database tries again until `waitMs` are over. */
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
  const writer = new PostgresWriter({ url, exclusive, logger });
  try {
    await prepare(writer, options);
  } catch (error) {
    await writer.close();
    throw error;
  }
  const publisher = new EventPublisher(logger);
  const pool = openPostgresPool(url, postgresDatabase);
  const writerConnection = new PostgresConnection(() => writer.client, writer.noteError);
  const writerDb = new Kysely<Database>({ dialect: createPostgresDialect(async () => writerConnection) });
  const commits = new GroupCommit<StorageTransaction, SequencedEvent>({
    connection: writer,
    open: () => openWork(writerDb, postgresDatabase),
    publish: (events) => publisher.publish(events),
  });
  let closing: Promise<void> | undefined;
  return {
    kind: "postgres",
    read: {
      ...createReader({ ...postgresDatabase, db: () => pool.db }),
      // a message may move between parts of the index
      search: (query) => pool.snapshot((reader) => reader.search(query)),
    },
    snapshot: pool.snapshot,
    transaction: (work, transactionOptions) => commits.submit(work, transactionOptions),
    async measure() {
      const { rows } = await sql<{ bytes: number }>`SELECT pg_database_size(current_database()) AS bytes`.execute(pool.db);
      return rows[0]?.bytes ?? 0;
    },
    // its files belong to the database server
    inspect: async () => undefined,
    onCommitted: (listener) => publisher.subscribe(listener),
    close() {
      closing ??= commits.close().then(async () => {
        await pool.close();
        await writer.close();
      });
      return closing;
    },
  };
}
