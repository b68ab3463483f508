import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Database } from "../database.ts";
import { type PreparedQuery, prepareQuery } from "../prepared-query.ts";
import type { FullTextIndex, IndexedText } from "../query-context.ts";
import { scriptsWithoutSpaces, separateCharacters, toIndexedText } from "../search/indexed-text.ts";

/** Rows per part. Larger parts slow down searches for frequent words, smaller ones those for rare words. */
const rowsPerPart = 32_768;

/** A one-letter prefix matches most of a large index, so shorter endings of a term must match whole words. */
const endsWithBeginning = /[\p{L}\p{N}]{3}$/u;

function endsOpen(term: string): boolean {
  return endsWithBeginning.test(term) && !term.slice(-1).match(scriptsWithoutSpaces);
}

/** Each term becomes a quoted phrase with a prefix match on its last word: no character has a special meaning to FTS5. */
function toMatchExpressions(terms: readonly string[]): string[] {
  return terms
    .filter((term) => /[\p{L}\p{N}]/u.test(term))
    .map((term) => `"${separateCharacters(term).replaceAll('"', '""').replaceAll("\0", " ")}"${endsOpen(term) ? "*" : ""}`);
}

/** One of the FTS5 tables, none of which stores a copy of the text. */
interface Part {
  put: PreparedQuery<IndexedText, unknown>;
  remove: PreparedQuery<Pick<IndexedText, "rowId">, unknown>;
  find(db: Kysely<Database>, query: { expression: string; before: number; limit: number }): Promise<number[]>;
}

function createPart(name: string): Part {
  const table = sql.table(name);
  const raw = <Input extends object>(build: (input: Input) => RawBuilder<unknown>) =>
    prepareQuery((db, input: Input) => ({ compile: () => build(input).compile(db) }));
  return {
    put: raw(({ rowId, text }: IndexedText) => sql`insert or replace into ${table} (rowid, text) values (${rowId}, ${text})`),
    remove: raw(({ rowId }: Pick<IndexedText, "rowId">) => sql`delete from ${table} where rowid = ${rowId}`),
    async find(db, { expression, before, limit }) {
      const { rows } = await sql<{ rowid: number }>`
        select rowid from ${table} where ${table} match ${expression} and rowid < ${before} order by rowid desc limit ${limit}
      `.execute(db);
      return rows.map(({ rowid }) => rowid);
    },
  };
}

const parts = new Map<number, Part>();
/** The single index of earlier releases. */
const earlier = createPart("conversation_search");

export const toPartName = (number: number): string => `conversation_search_${number}`;
export const toPartNumber = (rowId: number): number => Math.floor(rowId / rowsPerPart);

export const toPartDefinition = (number: number): string =>
  `CREATE VIRTUAL TABLE ${toPartName(number)} USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2')`;

function openPart(number: number): Part {
  const part = parts.get(number) ?? createPart(toPartName(number));
  parts.set(number, part);
  return part;
}

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

async function createPartTable(db: Kysely<Database>, number: number): Promise<void> {
  await sql.raw(toPartDefinition(number)).execute(db);
  await db.insertInto("search_parts").values({ number }).execute();
}

function groupByPart<T extends { rowId: number }>(rows: readonly T[]): Map<number, T[]> {
  return Map.groupBy(rows, ({ rowId }) => toPartNumber(rowId));
}

async function removeEarlier(db: Kysely<Database>, rowIds: readonly number[]): Promise<void> {
  const below = (await readBacklog(db)) ?? 0;
  const inEarlier = rowIds.filter((rowId) => rowId < below);
  if (inEarlier.length > 0)
    await earlier.remove.each(
      db,
      inEarlier.map((rowId) => ({ rowId })),
    );
}

export const sqliteFullTextIndex: FullTextIndex = {
  async put(db, texts) {
    await removeEarlier(
      db,
      texts.map(({ rowId }) => rowId),
    );
    for (const [number, group] of groupByPart(texts)) {
      if (!(await hasPart(db, number))) await createPartTable(db, number);
      await openPart(number).put.each(
        db,
        group.map(({ rowId, text }) => ({ rowId, text: toIndexedText(text) })),
      );
    }
  },

  async remove(db, rowIds) {
    await removeEarlier(db, rowIds);
    for (const [number, group] of groupByPart(rowIds.map((rowId) => ({ rowId })))) {
      if (await hasPart(db, number)) await openPart(number).remove.each(db, group);
    }
  },

  async *find(db, { terms, limit }) {
    const expressions = toMatchExpressions(terms);
    if (expressions.length === 0) return;
    const numbers = await db.selectFrom("search_parts").select("number").orderBy("number", "desc").execute();
    for (const { number } of numbers) yield* findInPart(db, openPart(number), { expressions, before: Number.MAX_SAFE_INTEGER, limit });
    const below = (await readBacklog(db)) ?? 0;
    if (below > 0) yield* findInPart(db, earlier, { expressions, before: below, limit });
  },

  async dropEmpty(db) {
    // one table lookup per part, and there are few parts
    const { rows } = await sql<{ number: number }>`
      SELECT number FROM search_parts WHERE NOT EXISTS (
        SELECT 1 FROM conversation_messages WHERE row_id >= number * ${rowsPerPart} AND row_id < (number + 1) * ${rowsPerPart}
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

async function* findInPart(
  db: Kysely<Database>,
  part: Part,
  { expressions, before, limit }: { expressions: readonly string[]; before: number; limit: number },
): AsyncGenerator<number[]> {
  // a frequent prefix is the most expensive: it is not looked up if another term does not occur
  const [longest] = expressions.toSorted((a, b) => b.length - a.length);
  if (expressions.length > 1 && longest !== undefined) {
    if ((await part.find(db, { expression: longest, before, limit: 1 })).length === 0) {
      yield [];
      return;
    }
  }
  const expression = expressions.join(" AND ");
  for (let last = before; ; ) {
    const rowIds = await part.find(db, { expression, before: last, limit });
    yield rowIds;
    if (rowIds.length < limit) return;
    last = rowIds.at(-1) ?? 0;
  }
}
