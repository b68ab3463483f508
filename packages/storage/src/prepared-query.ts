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

type PreparedQuery<Input, Row> = (db: Kysely<Database>, input: Input) => Promise<QueryResult<Row>>;

/**
 * For what is written with every line of an agent: to build a query costs several times what SQLite needs to run it, so it
 * is built once per database. `build` must treat what it is given as values only: it never sees the real ones.
 */
export function prepareQuery<Input extends object, Row>(
  build: (db: Kysely<Database>, input: Input) => Compilable<Row>,
): PreparedQuery<Input, Row> {
  const compiled = new WeakMap<Kysely<Database>, CompiledQuery<Row>>();
  return (db, input) => {
    let query = compiled.get(db);
    if (query === undefined) {
      query = build(db, placeholders as Input).compile();
      compiled.set(db, query);
    }
    const parameters = query.parameters.map((value) => (value instanceof Placeholder ? input[value.name as keyof Input] : value));
    return db.executeQuery({ ...query, parameters });
  };
}
