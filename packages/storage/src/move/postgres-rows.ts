import type { ClientBase } from "pg";
import { toStoredValues } from "../postgres/stored-text.ts";
import type { Row, RowAccess } from "./copy-rows.ts";
import { list, quote } from "./quote-names.ts";

const toParameters = (count: number, first = 1): string => Array.from({ length: count }, (_, index) => `$${first + index}`).join(", ");

/** `client` sends several statements before it waits: see `toConnectionSettings`. */
export function createPostgresRows(client: ClientBase): RowAccess {
  const names = new Map<string, string>();

  async function runAll(text: string, lists: readonly unknown[][]): Promise<void> {
    const name = names.get(text) ?? `skein_move_${names.size}`;
    names.set(text, name);
    const runs = lists.map((values) => client.query({ name, text, values: toStoredValues(values) }));
    for (const run of await Promise.allSettled(runs)) if (run.status === "rejected") throw run.reason;
  }

  return {
    async readRows({ name, columns, key }, after, limit) {
      const behind = after === undefined ? "" : `WHERE (${list(key)}) > (${toParameters(key.length, 2)})`;
      const values = after === undefined ? [] : key.map((column) => after[columns.indexOf(column)] ?? null);
      const { rows } = await client.query<Row>({
        text: `SELECT ${list(columns)} FROM ${quote(name)} ${behind} ORDER BY ${list(key)} LIMIT $1`,
        values: toStoredValues([limit, ...values]),
        rowMode: "array",
      });
      return rows;
    },
    async insertRows({ name, columns }, rows) {
      await runAll(`INSERT INTO ${quote(name)} (${list(columns)}) VALUES (${toParameters(columns.length)})`, [...rows]);
    },
    async updateRows({ name, columns, key }, changed, rows) {
      const toTerms = (names: readonly string[], first: number, separator: string) =>
        names.map((column, index) => `${quote(column)} = $${first + index}`).join(separator);
      const text = `UPDATE ${quote(name)} SET ${toTerms(changed, 1, ", ")} WHERE ${toTerms(key, changed.length + 1, " AND ")}`;
      const lists = rows.map((row) => [...changed, ...key].map((column) => row[columns.indexOf(column)] ?? null));
      await runAll(text, lists);
    },
  };
}

interface Sequence {
  table: string;
  column: string;
}

async function listSequences(client: ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
     WHERE table_schema = current_schema() AND is_identity = 'YES'`,
  );
  return rows;
}

/** The last number of each table with generated numbers. */
export async function readUsedNumbers(client: ClientBase): Promise<Map<string, number>> {
  const used = new Map<string, number>();
  for (const { table, column } of await listSequences(client)) {
    const { rows } = await client.query<{ last: number }>(
      "SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence($1, $2)::regclass), 0) AS last",
      [table, column],
    );
    used.set(table, rows[0]?.last ?? 0);
  }
  return used;
}

/** New rows get numbers above those that exist and those that were used. */
export async function writeUsedNumbers(client: ClientBase, used: ReadonlyMap<string, number>): Promise<void> {
  for (const { table, column } of await listSequences(client)) {
    const { rows } = await client.query<{ last: number }>(`SELECT coalesce(max(${quote(column)}), 0) AS last FROM ${quote(table)}`);
    const last = Math.max(used.get(table) ?? 0, rows[0]?.last ?? 0);
    await client.query("SELECT setval(pg_get_serial_sequence($1, $2)::regclass, $3, $4)", [table, column, Math.max(last, 1), last > 0]);
  }
}
