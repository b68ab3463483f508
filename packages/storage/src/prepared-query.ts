import type { Compilable, CompiledQuery, Kysely, QueryResult } from "kysely";
import type { Database } from "./database.ts";

/** Stands for a value that is known when the query runs. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Each of its properties is a placeholder of that name. */
const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });

/** What one run of a repeated statement returned: rows of a query; otherwise what it changed, and the key of the row it inserted. */
export interface StatementRun<Row> {
  rows: Row[];
  changes: number;
  insertId: number;
}

/** A statement to run once for each list of parameters, in order, without other work in between. Our dialects take it. */
export interface RepeatedQuery extends CompiledQuery {
  readonly parameterLists: readonly (readonly unknown[])[];
}

/** The answer to a `RepeatedQuery`: one run for each list. */
export interface RepeatedResult<Row> extends QueryResult<Row> {
  readonly runs: StatementRun<Row>[];
}

export interface PreparedQuery<Input, Row> {
  (db: Kysely<Database>, input: Input): Promise<QueryResult<Row>>;
  /** Runs it for each input, in order: one wait for all of them. */
  each(db: Kysely<Database>, inputs: readonly Input[]): Promise<StatementRun<Row>[]>;
}

/**
 * For what is written with every line of an agent: to build a query costs several times what SQLite needs to run it, so it
 * is built once per database. `build` must treat what it is given as values only: it never sees the real ones.
 */
export function prepareQuery<Input extends object, Row>(
  build: (db: Kysely<Database>, input: Input) => Compilable<Row>,
): PreparedQuery<Input, Row> {
  const compiled = new WeakMap<Kysely<Database>, CompiledQuery<Row>>();
  const compile = (db: Kysely<Database>): CompiledQuery<Row> => {
    let query = compiled.get(db);
    if (query === undefined) {
      query = build(db, placeholders as Input).compile();
      compiled.set(db, query);
    }
    return query;
  };
  const bind = (query: CompiledQuery<Row>, input: Input): unknown[] =>
    query.parameters.map((value) => (value instanceof Placeholder ? input[value.name as keyof Input] : value));

  const run = (db: Kysely<Database>, input: Input): Promise<QueryResult<Row>> => {
    const query = compile(db);
    return db.executeQuery({ ...query, parameters: bind(query, input) });
  };
  return Object.assign(run, {
    async each(db: Kysely<Database>, inputs: readonly Input[]): Promise<StatementRun<Row>[]> {
      if (inputs.length === 0) return [];
      const query = compile(db);
      const repeated: RepeatedQuery = { ...query, parameterLists: inputs.map((input) => bind(query, input)) };
      return ((await db.executeQuery<Row>(repeated)) as RepeatedResult<Row>).runs;
    },
  });
}
