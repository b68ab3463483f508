import type { TableShape } from "./table-shapes.ts";

export type Value = string | number | null;
export type Row = Value[];

/** Reads and writes the stored form of rows, in one transaction. */
export interface RowAccess {
  /** At most `limit` rows after the key of `after`, ordered by key. */
  readRows(table: TableShape, after: Row | undefined, limit: number): Promise<Row[]>;
  insertRows(table: TableShape, rows: readonly Row[]): Promise<void>;
  /** Sets columns of existing rows. */
  updateRows(table: TableShape, columns: readonly string[], rows: readonly Row[]): Promise<void>;
}

/** The copy differs from the original. */
export class CopyDifferenceError extends Error {
  override readonly name = "CopyDifferenceError";
}

/** Called with the number of rows of a table that were copied or compared since the last call. */
export type OnRows = (step: "copy" | "compare", table: string, rows: number) => void;

const rowsAtOnce = 100;

async function* readPages(from: RowAccess, table: TableShape): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const rows = await from.readRows(table, last, rowsAtOnce);
    if (rows.length > 0) yield rows;
    if (rows.length < rowsAtOnce) return;
    last = rows.at(-1);
  }
}

/** Copies all rows into empty tables. */
export async function copyRows(from: RowAccess, to: RowAccess, tables: readonly TableShape[], onRows: OnRows): Promise<void> {
  for (const table of tables) {
    const later = table.ownReferences.map((column) => table.columns.indexOf(column));
    for await (const rows of readPages(from, table)) {
      const first = later.length === 0 ? rows : rows.map((row) => row.map((value, index) => (later.includes(index) ? null : value)));
      await to.insertRows(table, first);
      onRows("copy", table.name, rows.length);
    }
    if (later.length === 0) continue;
    for await (const rows of readPages(from, table)) {
      const referring = rows.filter((row) => later.some((index) => row[index] !== null));
      if (referring.length > 0) await to.updateRows(table, table.ownReferences, referring);
    }
  }
}

/** Compares every value of every row. Throws `CopyDifferenceError`. Returns the number of rows. */
export async function compareRows(from: RowAccess, to: RowAccess, tables: readonly TableShape[], onRows: OnRows): Promise<number> {
  let count = 0;
  for (const table of tables) {
    let last: Row | undefined;
    for (let isEnd = false; !isEnd; ) {
      const rows = await from.readRows(table, last, rowsAtOnce);
      const copies = await to.readRows(table, last, rowsAtOnce);
      assertEqual(table, rows, copies);
      count += rows.length;
      onRows("compare", table.name, rows.length);
      isEnd = rows.length < rowsAtOnce;
      last = rows.at(-1);
    }
  }
  return count;
}

function assertEqual({ name, columns }: TableShape, rows: readonly Row[], copies: readonly Row[]): void {
  if (rows.length !== copies.length) throw new CopyDifferenceError(`The table ${name} has a different number of rows in both databases.`);
  for (const [index, row] of rows.entries()) {
    const different = columns.find((_, column) => row[column] !== copies[index]?.[column]);
    if (different !== undefined) throw new CopyDifferenceError(`The row ${String(row[0])} of ${name} differs in ${different}.`);
  }
}

export async function isEmpty(access: RowAccess, tables: readonly TableShape[]): Promise<boolean> {
  for (const table of tables) if ((await access.readRows(table, undefined, 1)).length > 0) return false;
  return true;
}
