import type { Kysely } from "kysely";
import type { Database } from "./database.ts";

/** The words of conversation messages. Each database has its own kind of full-text search. */
export interface FullTextIndex {
  /** Replaces what was indexed for this row. */
  put(db: Kysely<Database>, input: { rowId: number; text: string }): Promise<void>;
  /** Rows that contain every term, the newest first. Never rejects because of what a term looks like. */
  find(db: Kysely<Database>, query: { terms: readonly string[]; limit: number }): Promise<number[]>;
}

export interface QueryContext {
  /** Throws when the unit of work it belongs to is over: a late write would land in the transaction of somebody else. */
  db(): Kysely<Database>;
  fullText: FullTextIndex;
}
