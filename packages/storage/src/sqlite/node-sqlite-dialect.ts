import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { RecentMap } from "@skein/engine";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { ConnectionDriver } from "../connection-driver.ts";
import type { RepeatedQuery, RepeatedResult, StatementRun } from "../prepared-query.ts";
import { toStorageError } from "./sqlite-error.ts";

const maxCachedStatements = 200;

interface CachedStatement {
  statement: StatementSync;
  returnsRows: boolean;
}

function runStatement<Row>({ statement, returnsRows }: CachedStatement, values: SQLInputValue[]): StatementRun<Row> {
  if (returnsRows) return { rows: statement.all(...values) as Row[], changes: 0, insertId: 0 };
  const { changes, lastInsertRowid } = statement.run(...values);
  return { rows: [], changes: Number(changes), insertId: Number(lastInsertRowid) };
}

class NodeSqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #needsTransaction: boolean;
  readonly #statements = new RecentMap<string, CachedStatement>(maxCachedStatements);

  constructor(database: DatabaseSync, needsTransaction: boolean) {
    this.#database = database;
    this.#needsTransaction = needsTransaction;
  }

  async executeQuery<Row>(query: CompiledQuery | RepeatedQuery): Promise<QueryResult<Row> | RepeatedResult<Row>> {
    // SQLite ends a transaction by itself when the disk is full. Later statements would be committed at once.
    if (this.#needsTransaction && !this.#database.isTransaction) throw new Error("The transaction is over: SQLite has rolled it back.");
    try {
      const prepared = this.#prepare(query.sql);
      if ("parameterLists" in query) {
        return { rows: [], runs: query.parameterLists.map((values) => runStatement<Row>(prepared, values as SQLInputValue[])) };
      }
      const { rows, changes } = runStatement<Row>(prepared, query.parameters as SQLInputValue[]);
      return prepared.returnsRows ? { rows } : { rows, numAffectedRows: BigInt(changes) };
    } catch (error) {
      throw toStorageError(error);
    }
  }

  // biome-ignore lint/correctness/useYield: there is nothing to stream from a database in the same process
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("Streaming is not supported: read in pages.");
  }

  /** Compiling a statement costs more than running it, so statements are cached (LRU). */
  #prepare(sql: string): CachedStatement {
    const cached = this.#statements.get(sql) ?? this.#compile(sql);
    this.#statements.set(sql, cached);
    return cached;
  }

  #compile(sql: string): CachedStatement {
    const statement = this.#database.prepare(sql);
    return { statement, returnsRows: statement.columns().length > 0 };
  }
}

/** Kysely on Node's built-in SQLite: one connection, no native build. */
export function createNodeSqliteDialect(database: DatabaseSync, options: { needsTransaction: boolean }): Dialect {
  const connection = new NodeSqliteConnection(database, options.needsTransaction);
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new ConnectionDriver(async () => connection),
    createIntrospector: (db: Kysely<never>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}
