import type { StorageReader } from "@skein/engine";
import { type CompiledQuery, type DatabaseConnection, Kysely, type QueryResult } from "kysely";
import { Pool, type PoolClient } from "pg";
import { createReader } from "../create-reader.ts";
import type { Database } from "../database.ts";
import type { QueryContext } from "../query-context.ts";
import { toConnectionSettings, withinReason } from "./connection-settings.ts";
import { createPostgresDialect, PostgresConnection } from "./postgres-dialect.ts";
import { isConnectionLost, toStorageError } from "./postgres-error.ts";

const maxReaders = 6;
/** An export holds one for as long as the browser takes to download it. */
const maxSnapshots = 10;

/** A query that fails after this time had started to run, so it is not retried. */
const staleWithinMs = 5000;

/** Connections that read. They are opened on demand, closed when idle, and replaced when they are lost. */
export interface PostgresPool {
  db: Kysely<Database>;
  /** Runs `work` in a read-only transaction with one consistent snapshot. */
  snapshot<T>(work: (reader: StorageReader) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

function createPool(url: string, name: string, max: number): Pool {
  const pool = new Pool({ ...toConnectionSettings(url, name), max, idleTimeoutMillis: 30_000, allowExitOnIdle: true });
  // A connection was lost: its queries fail, and the next one opens another. Without listeners it would be an uncaught error.
  pool.on("error", () => {});
  pool.on("connect", (client) => void client.on("error", () => {}));
  return pool;
}

async function acquire(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw toStorageError(error);
  }
}

/**
 * Runs `work` on a connection of the pool. An idle connection may have been closed unnoticed, for example by a restart of the server:
 * then another one is used. A server that cannot be reached ends this at once, and a query that ran for longer is not repeated.
 */
async function withConnection<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<{ client: PoolClient; result: T }> {
  for (let tries = 0; ; tries++) {
    const client = await acquire(pool);
    const startedAt = performance.now();
    try {
      return { client, result: await work(client) };
    } catch (error) {
      const isLost = isConnectionLost(error);
      client.release(isLost);
      const isStale = isLost && performance.now() - startedAt < staleWithinMs && tries <= pool.options.max;
      if (!isStale) throw toStorageError(error);
    }
  }
}

/** A connection for one query at a time, which only reads. */
function createReadingConnection(pool: Pool): DatabaseConnection {
  return {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const { client, result } = await withConnection(pool, (one) => new PostgresConnection(() => one).executeQuery<R>(query));
      client.release();
      return result;
    },
    streamQuery() {
      throw new Error("Streaming is not supported: read in pages.");
    },
  };
}

export function openPostgresPool(url: string, database: Omit<QueryContext, "db">): PostgresPool {
  const readers = createPool(url, "skein reader", maxReaders);
  const snapshots = createPool(url, "skein snapshot", maxSnapshots);
  const running = new Set<Promise<unknown>>();
  const readersOf = new WeakMap<PoolClient, StorageReader>();
  const reading = createReadingConnection(readers);
  let isClosed = false;

  const db = new Kysely<Database>({
    dialect: createPostgresDialect(async () => {
      if (isClosed) throw new Error("The storage is closed.");
      return reading;
    }),
  });

  function readerOf(client: PoolClient): StorageReader {
    const known = readersOf.get(client);
    if (known !== undefined) return known;
    const connection = new PostgresConnection(() => client);
    const own = new Kysely<Database>({ dialect: createPostgresDialect(async () => connection) });
    const reader = createReader({ ...database, db: () => own });
    readersOf.set(client, reader);
    return reader;
  }

  async function runSnapshot<T>(work: (reader: StorageReader) => Promise<T>): Promise<T> {
    const { client } = await withConnection(snapshots, (one) => one.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"));
    try {
      const result = await work(readerOf(client));
      await client.query("COMMIT");
      client.release();
      return result;
    } catch (error) {
      // its state is unknown: it is closed
      client.release(true);
      throw toStorageError(error);
    }
  }

  return {
    db,
    snapshot(work) {
      if (isClosed) return Promise.reject(new Error("The storage is closed."));
      const run = runSnapshot(work).finally(() => running.delete(run));
      running.add(run);
      return run;
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(running);
      await withinReason(Promise.all([readers.end(), snapshots.end()]));
    },
  };
}
