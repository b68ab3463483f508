import { type Kysely, sql } from "kysely";
import type { Database } from "../database.ts";
import { prepareQuery } from "../prepared-query.ts";
import type { FullTextIndex, IndexedText } from "../query-context.ts";
import { scriptsWithoutSpaces } from "./indexed-text.ts";

/** Rows per part. Larger parts slow down searches for frequent words, smaller ones those for rare words. */
const rowsPerPart = 32_768;

/** A one-letter prefix matches most of a large index, so shorter endings of a term must match whole words. */
const endsWithBeginning = /[\p{L}\p{N}]{3}$/u;

/** A word, or several that must follow one another. */
export interface SearchPhrase {
  text: string;
  /** Whether its last word may also be the beginning of a longer one. */
  endsOpen: boolean;
}

function toPhrases(terms: readonly string[]): SearchPhrase[] {
  return terms
    .filter((term) => /[\p{L}\p{N}]/u.test(term))
    .map((text) => ({ text, endsOpen: endsWithBeginning.test(text) && !text.slice(-1).match(scriptsWithoutSpaces) }));
}

/** One table of the index. It stores no copy of the texts. */
export interface IndexPart {
  put(db: Kysely<Database>, texts: readonly IndexedText[]): Promise<void>;
  remove(db: Kysely<Database>, rowIds: readonly number[]): Promise<void>;
  /**
   * Rows below `before` that contain every phrase, newest first. Examines at least `limit` rows if there are that many; `last` is
   * the row to continue below, undefined at the end.
   */
  find(db: Kysely<Database>, query: PartQuery): Promise<{ rowIds: number[]; last: number | undefined }>;
}

export interface PartQuery {
  phrases: readonly SearchPhrase[];
  before: number;
  limit: number;
}

/** How a database stores and searches a part. */
export interface IndexParts {
  /** The statements that create the part. */
  toDefinition(name: string): string[];
  create(name: string): IndexPart;
}

export const toPartName = (number: number): string => `conversation_search_${number}`;
/** The part that a row is in. */
export const toPartNumber = (rowId: number): number => Math.floor(rowId / rowsPerPart);

const findPart = prepareQuery((db, { number }: { number: number }) =>
  db.selectFrom("search_parts").select("number").where("number", "=", number),
);
const findBacklog = prepareQuery((db) => db.selectFrom("search_backlog").select("below"));

async function hasPart(db: Kysely<Database>, number: number): Promise<boolean> {
  return (await findPart(db, { number })).rows.length > 0;
}

/** Messages below it are in the index of earlier releases; 0 if that is empty, undefined if it is gone. */
async function readBacklog(db: Kysely<Database>): Promise<number | undefined> {
  return (await findBacklog(db, {})).rows[0]?.below;
}

/**
 * An index of many parts, by row number: a search reads the newest messages first and stops when it has enough, and the database
 * maintains parts of limited size.
 */
export function createFullTextIndex({ toDefinition, create }: IndexParts): FullTextIndex {
  const parts = new Map<number, IndexPart>();
  /** The single index of earlier releases. */
  const earlier = create("conversation_search");

  function openPart(number: number): IndexPart {
    const part = parts.get(number) ?? create(toPartName(number));
    parts.set(number, part);
    return part;
  }

  async function createPart(db: Kysely<Database>, number: number): Promise<void> {
    for (const statement of toDefinition(toPartName(number))) await sql.raw(statement).execute(db);
    await db.insertInto("search_parts").values({ number }).execute();
  }

  async function removeEarlier(db: Kysely<Database>, rowIds: readonly number[]): Promise<void> {
    const below = (await readBacklog(db)) ?? 0;
    const inEarlier = rowIds.filter((rowId) => rowId < below);
    if (inEarlier.length > 0) await earlier.remove(db, inEarlier);
  }

  return {
    async put(db, texts) {
      await removeEarlier(
        db,
        texts.map(({ rowId }) => rowId),
      );
      for (const [number, group] of Map.groupBy(texts, ({ rowId }) => toPartNumber(rowId))) {
        if (!(await hasPart(db, number))) await createPart(db, number);
        await openPart(number).put(db, group);
      }
    },

    async remove(db, rowIds) {
      await removeEarlier(db, rowIds);
      for (const [number, group] of Map.groupBy(rowIds, toPartNumber)) {
        if (await hasPart(db, number)) await openPart(number).remove(db, group);
      }
    },

    async *find(db, { terms, limit }) {
      const phrases = toPhrases(terms);
      if (phrases.length === 0) return;
      const numbers = await db.selectFrom("search_parts").select("number").orderBy("number", "desc").execute();
      for (const { number } of numbers) yield* findInPart(db, openPart(number), { phrases, before: Number.MAX_SAFE_INTEGER, limit });
      const below = (await readBacklog(db)) ?? 0;
      if (below > 0) yield* findInPart(db, earlier, { phrases, before: below, limit });
    },

    async dropEmpty(db) {
      // one table lookup per part, and there are few parts
      const { rows } = await sql<{ number: number }>`
        SELECT number FROM search_parts WHERE NOT EXISTS (
          SELECT 1 FROM conversation_messages
          WHERE row_id >= number * ${sql.lit(rowsPerPart)} AND row_id < (number + 1) * ${sql.lit(rowsPerPart)}
        ) LIMIT 1`.execute(db);
      const [empty] = rows;
      if (empty === undefined) return false;
      await sql`DROP TABLE ${sql.table(toPartName(empty.number))}`.execute(db);
      await db.deleteFrom("search_parts").where("number", "=", empty.number).execute();
      return true;
    },

    async dropEarlier(db) {
      await sql`drop table ${sql.table("conversation_search")}`.execute(db);
    },
  };
}

async function* findInPart(db: Kysely<Database>, part: IndexPart, { phrases, before, limit }: PartQuery): AsyncGenerator<number[]> {
  // a frequent prefix is the most expensive: it is not looked up if another term does not occur
  const [longest] = phrases.toSorted((a, b) => b.text.length - a.text.length);
  if (phrases.length > 1 && longest !== undefined) {
    const { rowIds, last } = await part.find(db, { phrases: [longest], before, limit: 1 });
    if (rowIds.length === 0 && last === undefined) {
      yield [];
      return;
    }
  }
  for (let from: number | undefined = before; from !== undefined; ) {
    const { rowIds, last }: { rowIds: number[]; last: number | undefined } = await part.find(db, { phrases, before: from, limit });
    yield rowIds;
    from = last;
  }
}
