import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { expect, test } from "vitest";
import type { Database } from "./database.ts";
import { prepareQuery } from "./prepared-query.ts";
import { createNodeSqliteDialect } from "./sqlite/node-sqlite-dialect.ts";

function openDatabase(): Kysely<Database> {
  const database = new DatabaseSync(":memory:");
  database.exec("create table ingest_positions (execution_id text primary key, log_offset integer, ingest_state text)");
  return new Kysely<Database>({ dialect: createNodeSqliteDialect(database, { needsTransaction: false }) });
}

test("a prepared query is built once for each database, and runs with the values of each call and its own", async () => {
  let built = 0;
  const put = prepareQuery((db, { id, offset }: { id: string; offset: number }) => {
    built++;
    return db
      .insertInto("ingest_positions")
      .values({ execution_id: id, log_offset: offset, ingest_state: "fixed" })
      .onConflict((known) => known.column("execution_id").doUpdateSet({ log_offset: offset }));
  });
  const [first, second] = [openDatabase(), openDatabase()];

  await put(first, { id: "a", offset: 1 });
  await put(first, { id: "b", offset: 2 });
  expect((await put(first, { offset: 3, id: "a" })).numAffectedRows).toBe(1n);
  await put(second, { id: "c", offset: 4 });

  expect(built).toBe(2);
  expect(await first.selectFrom("ingest_positions").selectAll().execute()).toEqual([
    { execution_id: "a", log_offset: 3, ingest_state: "fixed" },
    { execution_id: "b", log_offset: 2, ingest_state: "fixed" },
  ]);
  expect(await second.selectFrom("ingest_positions").select("execution_id").execute()).toEqual([{ execution_id: "c" }]);
});
