import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import type { ClientBase, QueryResult as PostgresResult } from "pg";
import { ConnectionDriver } from "../connection-driver.ts";
import type { RepeatedQuery, RepeatedResult, StatementRun } from "../prepared-query.ts";
import { toStorageError } from "./postgres-error.ts";
import { toStoredValues } from "./stored-text.ts";

type Row = Record<string, unknown>;

/** Sends the statement for all parameter lists at once and then waits for the results: one round trip instead of one per list. */
async function runRepeatedly<R>(client: ClientBase, query: RepeatedQuery): Promise<StatementRun<R>[]> {
  const { name, sql, generatedKey, parameterLists } = query;
  const text = generatedKey === undefined ? sql : `${sql} returning "${generatedKey}"`;
  const runs = parameterLists.map((values) => client.query<Row>({ name, text, values: toStoredValues(values) }));
  // all of them end before the caller continues, also after a failure
  const settled = await Promise.allSettled(runs);
  return settled.map((run) => {
    if (run.status === "rejected") throw run.reason;
    return toRun<R>(run.value, generatedKey);
  });
}

function toRun<R>({ rows, rowCount, command }: PostgresResult<Row>, generatedKey: string | undefined): StatementRun<R> {
  if (command === "SELECT") return { rows: rows as R[], changes: 0, insertId: 0 };
  return { rows: [], changes: rowCount ?? 0, insertId: generatedKey === undefined ? 0 : Number(rows[0]?.[generatedKey] ?? 0) };
}

/** Kysely on one connection of `pg`. */
export class PostgresConnection implements DatabaseConnection {
  readonly #client: () => ClientBase;
  readonly #onError: (error: unknown) => void;

  /** `onError` is called with the first error of each query. */
  constructor(client: () => ClientBase, onError: (error: unknown) => void = () => {}) {
    this.#client = client;
    this.#onError = onError;
  }

  async executeQuery<R>(query: CompiledQuery | RepeatedQuery): Promise<QueryResult<R> | RepeatedResult<R>> {
    try {
      const client = this.#client();
      if ("parameterLists" in query) return { rows: [], runs: await runRepeatedly<R>(client, query) };
      const name = "name" in query && typeof query.name === "string" ? { name: query.name } : {};
      const { rows, rowCount, command } = await client.query<Row>({ ...name, text: query.sql, values: toStoredValues(query.parameters) });
      return command === "SELECT" ? { rows: rows as R[] } : { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) };
    } catch (error) {
      this.#onError(error);
      throw toStorageError(error);
    }
  }

  // biome-ignore lint/correctness/useYield: nothing is streamed
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("Streaming is not supported: read in pages.");
  }
}

export function createPostgresDialect(acquire: () => Promise<DatabaseConnection>): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new ConnectionDriver(acquire),
    createIntrospector: (db: Kysely<never>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}
