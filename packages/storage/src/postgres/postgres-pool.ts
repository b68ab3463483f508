import type { StorageReader } from "@skein/engine";
import { Kysely } from "kysely";
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

/** Connections that read. They are opened on demand, closed when idle, and replaced when they are lost. */
export interface PostgresPool {
  db: Kysely<Database>;
  /** Runs `work` in a read-only transaction that sees one moment. */
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

export function openPostgresPool(url: string, database: Omit<QueryContext, "db">): PostgresPool {
  const readers = createPool(url, "skein reader", maxReaders);
  const snapshots = createPool(url, "skein snapshot", maxSnapshots);
  const running = new Set<Promise<unknown>>();
  const clients = new WeakMap<PostgresConnection, { client: PoolClient; lost?: Error }>();
  const readersOf = new WeakMap<PoolClient, StorageReader>();
  let isClosed = false;

  const db = new Kysely<Database>({
    dialect: createPostgresDialect(
      async () => {
        if (isClosed) throw new Error("The storage is closed.");
        const client = await acquire(readers);
        const used: { client: PoolClient; lost?: Error } = { client };
        const connection = new PostgresConnection(
          () => client,
          (error) => {
            if (isConnectionLost(error)) used.lost = error as Error;
          },
        );
        clients.set(connection, used);
        return connection;
      },
      (connection) => {
        const used = clients.get(connection as PostgresConnection);
        used?.client.release(used.lost);
      },
    ),
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
    const client = await acquire(snapshots);
    try {
      await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
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
