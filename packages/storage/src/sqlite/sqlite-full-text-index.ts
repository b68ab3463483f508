import { type RawBuilder, sql } from "kysely";
import { prepareQuery } from "../prepared-query.ts";
import type { IndexedText } from "../query-context.ts";
import { createFullTextIndex, type IndexPart, type SearchPhrase } from "../search/full-text-index.ts";
import { separateCharacters, toIndexedText } from "../search/indexed-text.ts";

/** A quoted phrase: no character has a special meaning to FTS5. */
function toExpression({ text, endsOpen }: SearchPhrase): string {
  return `"${separateCharacters(text).replaceAll('"', '""').replaceAll("\0", " ")}"${endsOpen ? "*" : ""}`;
}

/** An FTS5 table without a copy of the text. */
function createPart(name: string): IndexPart {
  const table = sql.table(name);
  const raw = <Input extends object>(build: (input: Input) => RawBuilder<unknown>) =>
    prepareQuery((db, input: Input) => ({ compile: () => build(input).compile(db) }));
  const put = raw(({ rowId, text }: IndexedText) => sql`insert or replace into ${table} (rowid, text) values (${rowId}, ${text})`);
  const remove = raw(({ rowId }: Pick<IndexedText, "rowId">) => sql`delete from ${table} where rowid = ${rowId}`);
  return {
    async put(db, texts) {
      await put.each(
        db,
        texts.map(({ rowId, text }) => ({ rowId, text: toIndexedText(text) })),
      );
    },
    async remove(db, rowIds) {
      await remove.each(
        db,
        rowIds.map((rowId) => ({ rowId })),
      );
    },
    async find(db, { phrases, before, limit }) {
      const expression = phrases.map(toExpression).join(" AND ");
      const { rows } = await sql<{ rowid: number }>`
        select rowid from ${table} where ${table} match ${expression} and rowid < ${before} order by rowid desc limit ${limit}
      `.execute(db);
      const rowIds = rows.map(({ rowid }) => rowid);
      return { rowIds, last: rowIds.length < limit ? undefined : rowIds.at(-1) };
    },
  };
}

export const toPartDefinition = (name: string): string =>
  `CREATE VIRTUAL TABLE ${name} USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2')`;

export const sqliteFullTextIndex = createFullTextIndex({ toDefinition: (name) => [toPartDefinition(name)], create: createPart });
