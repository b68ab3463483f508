import type { RawBuilder, SqlBool } from "kysely";

/** SQL that is written differently for each database. Columns are trusted text: names from our own queries. */
export interface SqlDialect {
  /** Whether a column has one of these values. One parameter, and therefore one statement, for any number of values. */
  isOneOf(column: string, values: readonly string[] | readonly number[]): RawBuilder<SqlBool>;
  /** A number in a JSON object; null if it is missing. */
  jsonNumber(column: string, field: string): RawBuilder<number | null>;
  /** 1 or 0 for a boolean in a JSON object; null if it is missing. */
  jsonFlag(column: string, field: string): RawBuilder<number | null>;
  /** The day (`2026-01-31`) of a time in epoch milliseconds. */
  dayOf(milliseconds: RawBuilder<number>): RawBuilder<string>;
  /** Like LIKE with a backslash as its escape character; the case of ASCII letters does not matter. */
  matches(column: string, pattern: string): RawBuilder<SqlBool>;
}
