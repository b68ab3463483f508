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
  /** The same for all runs of a statement, and for no other statement. */
  readonly name: string;
  /** The column whose generated value is the `insertId` of each run. */
  readonly generatedKey: string | undefined;
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

let preparedQueries = 0;

/**
 * For statements that run for every line of an agent: building a query costs several times its execution in SQLite, so it is built once
 * per database. `build` must use its input as values only: it gets placeholders. `generatedKey` is the column that the database fills in
 * for an inserted row.
 */
export function prepareQuery<Input extends object, Row>(
  build: (db: Kysely<Database>, input: Input) => Compilable<Row>,
  { generatedKey }: { generatedKey?: string } = {},
): PreparedQuery<Input, Row> {
  const name = `skein_${++preparedQueries}`;
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
    const named: CompiledQuery<Row> & { name: string } = { ...query, name, parameters: bind(query, input) };
    return db.executeQuery(named);
  };
  return Object.assign(run, {
    async each(db: Kysely<Database>, inputs: readonly Input[]): Promise<StatementRun<Row>[]> {
      if (inputs.length === 0) return [];
      const query = compile(db);
      const repeated: RepeatedQuery = { ...query, name, generatedKey, parameterLists: inputs.map((input) => bind(query, input)) };
      return ((await db.executeQuery<Row>(repeated)) as RepeatedResult<Row>).runs;
    },
  });
}
