import type { Kysely } from "kysely";
import type { Database } from "./database.ts";

export interface IndexedText {
  rowId: number;
  text: string;
}

/** The words of conversation messages. Each database has its own kind of full-text search. */
export interface FullTextIndex {
  /** Replaces what was indexed for these rows. */
  put(db: Kysely<Database>, texts: readonly IndexedText[]): Promise<void>;
  /** Removes these rows from the index. */
  remove(db: Kysely<Database>, rowIds: readonly number[]): Promise<void>;
  /**
   * Rows that contain every term, the newest first, in pages of at most `limit`: other work may run between them. Never
   * throws because of what a term looks like.
   */
  find(db: Kysely<Database>, query: { terms: readonly string[]; limit: number }): AsyncIterable<number[]>;
  /** Drops a part of the index whose messages are all deleted. False when there is none. */
  dropEmpty(db: Kysely<Database>): Promise<boolean>;
  /** Deletes the index of earlier releases, once all of its messages are indexed again. */
  dropEarlier(db: Kysely<Database>): Promise<void>;
}

export interface QueryContext {
  /** Throws when the unit of work it belongs to is over: a late write would land in the transaction of somebody else. */
  db(): Kysely<Database>;
  fullText: FullTextIndex;
}
