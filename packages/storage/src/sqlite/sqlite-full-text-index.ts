import { sql } from "kysely";
import { prepareQuery } from "../prepared-query.ts";
import type { FullTextIndex } from "../query-context.ts";
import { listIdentifierParts } from "../search/identifier-parts.ts";

const scriptsWithoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

/** The tokenizer splits at spaces and punctuation: a whole Chinese sentence would be one word that nobody finds. */
function separateCharacters(text: string): string {
  return text.replace(scriptsWithoutSpaces, " $& ");
}

/** Every word that begins with one letter is most of a large index: shorter ends of a term are whole words. */
const endsWithBeginning = /[\p{L}\p{N}]{3}$/u;

function endsOpen(term: string): boolean {
  return endsWithBeginning.test(term) && !term.slice(-1).match(scriptsWithoutSpaces);
}

/** Each term a quoted phrase, its last word a beginning: no character of it has a meaning to FTS5. */
function toMatchExpression(terms: readonly string[]): string {
  return terms
    .filter((term) => /[\p{L}\p{N}]/u.test(term))
    .map((term) => `"${separateCharacters(term).replaceAll('"', '""').replaceAll("\0", " ")}"${endsOpen(term) ? "*" : ""}`)
    .join(" AND ");
}

const putText = prepareQuery((db, { rowId, text }: { rowId: number; text: string }) => ({
  compile: () => sql`insert or replace into conversation_search (rowid, text) values (${rowId}, ${text})`.compile(db),
}));

/** FTS5 without a copy of the text; rows leave it by a trigger of their table. */
export const sqliteFullTextIndex: FullTextIndex = {
  async put(db, { rowId, text }) {
    const parts = listIdentifierParts(text);
    // a line of their own, so that no phrase goes from the text into them
    await putText(db, { rowId, text: parts.length === 0 ? separateCharacters(text) : `${separateCharacters(text)}\n${parts.join("\n")}` });
  },
  async find(db, { terms, limit }) {
    const expression = toMatchExpression(terms);
    if (expression === "") return [];
    const found = await sql<{ rowid: number }>`
      select rowid from conversation_search where conversation_search match ${expression} order by rowid desc limit ${limit}
    `.execute(db);
    return found.rows.map((row) => row.rowid);
  },
};
