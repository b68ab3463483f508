import type { NodeId } from "@skein/contracts";
import type { Kysely } from "kysely";
import type { Database } from "./database.ts";
import type { SqlDialect } from "./sql-dialect.ts";

export interface IndexedText {
  rowId: number;
  text: string;
}

/** Full-text index of conversation messages. Each database has its own implementation. */
export interface FullTextIndex {
  /** Replaces the index entries of these rows. */
  put(db: Kysely<Database>, texts: readonly IndexedText[]): Promise<void>;
  /** Removes these rows from the index. */
  remove(db: Kysely<Database>, rowIds: readonly number[]): Promise<void>;
  /**
   * Rows that contain every term, newest first, in pages of at most `limit`: other work may run between them. Never throws because of
   * the content of a term.
   */
  find(db: Kysely<Database>, query: { terms: readonly string[]; limit: number }): AsyncIterable<number[]>;
  /** Drops a part of the index whose messages are all deleted. Returns false if there is none. */
  dropEmpty(db: Kysely<Database>): Promise<boolean>;
  /** Deletes the index of earlier releases, once all its messages are re-indexed. */
  dropEarlier(db: Kysely<Database>): Promise<void>;
}

export interface QueryContext {
  /** Throws when its unit of work is over: a late write would end up in another transaction. */
  db(): Kysely<Database>;
  fullText: FullTextIndex;
  dialect: SqlDialect;
  /** The server that uses the database, if several can: what it creates belongs to it. */
  nodeId?: NodeId;
}
