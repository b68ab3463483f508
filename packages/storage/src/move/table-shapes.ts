import type { DatabaseSync } from "node:sqlite";

/** A table as it is copied between databases. */
export interface TableShape {
  name: string;
  /** In SQLite, `rowid` may be one of them although it is not declared. */
  columns: string[];
  /** Columns of the primary key: rows are read in their order. */
  key: string[];
  /** Columns that refer to rows of the same table, which may be inserted later. */
  ownReferences: string[];
}

/** Derived data: the target creates it from the messages. */
const isDerived = (name: string): boolean =>
  name.startsWith("sqlite_") || name.startsWith("conversation_search") || name.startsWith("search_");

/** Tables whose rows are ordered by their implicit `rowid`. */
const orderedByRowid = new Set(["ingest_entries"]);

/** All tables with data of a database with the current schema; each after those that it refers to. */
export function listTableShapes(database: DatabaseSync): TableShape[] {
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid").all();
  const found = names.map(({ name }) => String(name)).filter((name) => !isDerived(name));
  const shapes = new Map(found.map((name) => [name, readShape(database, name)]));
  const sorted: TableShape[] = [];
  const add = (name: string): void => {
    const entry = shapes.get(name);
    if (entry === undefined) return;
    shapes.delete(name);
    for (const other of entry.refersTo) add(other);
    sorted.push(entry.shape);
  };
  for (const name of found) add(name);
  return sorted;
}

function readShape(database: DatabaseSync, name: string): { shape: TableShape; refersTo: string[] } {
  const columns = database.prepare("SELECT name, pk FROM pragma_table_info(?) ORDER BY cid").all(name);
  const references = database.prepare('SELECT "table" AS target, "from" AS source FROM pragma_foreign_key_list(?)').all(name);
  const names = columns.map((column) => String(column.name));
  const key = columns.filter(({ pk }) => Number(pk) > 0).toSorted((a, b) => Number(a.pk) - Number(b.pk));
  const targets = references.map(({ target }) => String(target));
  // a trigger, not a foreign key, checks the execution of a message
  if (names.includes("execution_id")) targets.push("executions");
  return {
    shape: {
      name,
      columns: orderedByRowid.has(name) ? [...names, "rowid"] : names,
      key: key.map((column) => String(column.name)),
      ownReferences: references.filter(({ target }) => target === name).map(({ source }) => String(source)),
    },
    refersTo: targets.filter((target) => target !== name),
  };
}
