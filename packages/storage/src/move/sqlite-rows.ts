import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { Row, RowAccess } from "./copy-rows.ts";
import { list, quote } from "./quote-names.ts";
import type { TableShape } from "./table-shapes.ts";

export function createSqliteRows(database: DatabaseSync): RowAccess {
  return {
    async readRows({ name, columns, key }, after, limit) {
      const behind = after === undefined ? "" : `WHERE (${list(key)}) > (${key.map(() => "?").join(", ")})`;
      const values = after === undefined ? [] : key.map((column) => after[columns.indexOf(column)] ?? null);
      const statement = database.prepare(`SELECT ${list(columns)} FROM ${quote(name)} ${behind} ORDER BY ${list(key)} LIMIT ?`);
      statement.setReturnArrays(true);
      return statement.all(...values, limit) as unknown as Row[];
    },
    async insertRows({ name, columns }, rows) {
      const statement = database.prepare(`INSERT INTO ${quote(name)} (${list(columns)}) VALUES (${columns.map(() => "?").join(", ")})`);
      for (const row of rows) statement.run(...(row as SQLInputValue[]));
    },
    async updateRows(table, changed, rows) {
      const { name, columns, key } = table;
      const toTerms = (names: readonly string[], separator: string) => names.map((column) => `${quote(column)} = ?`).join(separator);
      const statement = database.prepare(`UPDATE ${quote(name)} SET ${toTerms(changed, ", ")} WHERE ${toTerms(key, " AND ")}`);
      for (const row of rows) statement.run(...pick(columns, [...changed, ...key], row));
    },
  };
}

function pick(columns: readonly string[], wanted: readonly string[], row: Row): SQLInputValue[] {
  return wanted.map((column) => row[columns.indexOf(column)] ?? null);
}

/** The highest number AUTOINCREMENT has used per table. Numbers of deleted rows are never reused. */
export function readUsedNumbers(database: DatabaseSync): Map<string, number> {
  const rows = database.prepare("SELECT name, seq FROM sqlite_sequence").all();
  return new Map(rows.map(({ name, seq }) => [String(name), Number(seq)]));
}

export function writeUsedNumbers(database: DatabaseSync, used: ReadonlyMap<string, number>, tables: readonly TableShape[]): void {
  for (const { name } of tables) {
    const definition = database.prepare("SELECT sql FROM sqlite_schema WHERE name = ?").get(name)?.sql;
    if (!String(definition).includes("AUTOINCREMENT")) continue;
    database.prepare("DELETE FROM sqlite_sequence WHERE name = ?").run(name);
    database.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)").run(name, used.get(name) ?? 0);
  }
}
