import type { Compilable, CompiledQuery, Kysely, QueryResult } from "kysely";
import type { Database } from "./database.ts";

/** Placeholder for a value that is bound when the query runs. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Every property is a placeholder of that name. */
const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });

/** Result of one run of a repeated statement: the rows of a query, or the number of changes and the inserted key. */
export interface StatementRun<Row> {
  rows: Row[];
  changes: number;
  insertId: number;
}

/** A statement that runs once per list of parameters, in order, without other work in between. Supported by our dialects. */
export interface RepeatedQuery extends CompiledQuery {
  readonly parameterLists: readonly (readonly unknown[])[];
}

/** Result of a `RepeatedQuery`: one run per list. */
export interface RepeatedResult<Row> extends QueryResult<Row> {
  readonly runs: StatementRun<Row>[];
}

export interface PreparedQuery<Input, Row> {
  (db: Kysely<Database>, input: Input): Promise<QueryResult<Row>>;
  /** Runs it for each input, in order, with a single await. */
  each(db: Kysely<Database>, inputs: readonly Input[]): Promise<StatementRun<Row>[]>;
}

/**
 * For statements that run for every line of an agent: building a query costs several times its execution in SQLite, so it is built once
 * per database. `build` must use its input as values only: it gets placeholders.
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
