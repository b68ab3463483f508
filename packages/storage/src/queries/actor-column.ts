import type { Actor } from "@skein/contracts";
import { parseJsonColumn } from "../json-column.ts";

/** A column with the user who did something; null where the server has no users. */
export function toActorColumn(by: Actor | undefined): string | null {
  return by === undefined ? null : JSON.stringify(by);
}

/** The field `by` of a row, or none. Parsed with the row's schema. */
export function fromActorColumn(column: string | null, row: string): { by?: unknown } {
  return column === null ? {} : { by: parseJsonColumn(column, row) };
}
