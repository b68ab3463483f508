import { sql } from "kysely";
import { prepareQuery } from "../prepared-query.ts";
import { toConversationMessage } from "../queries/conversation-messages.ts";
import { createFullTextIndex, type IndexPart, type SearchPhrase } from "../search/full-text-index.ts";
import { toSearchText } from "../search/search-text.ts";
import { hasPhrase, listIndexEntries, listQueryWords, listTextWords, toQueryEntries } from "../search/search-words.ts";

/** A phrase as words, and the index entries that every message containing it has. */
interface WordPhrase {
  words: string[];
  endsOpen: boolean;
  entries: string[];
}

function toWordPhrase({ text, endsOpen }: SearchPhrase): WordPhrase {
  const words = listQueryWords(text);
  // words consist of letters and digits, so no character is special in a tsquery
  const entries = toQueryEntries(words, { endsOpen }).map((entry) => `'${entry.text}'${entry.isPrefix ? ":*" : ""}`);
  return { words, endsOpen, entries };
}

/**
 * A table of the words of messages. The words are ours, not those of a text search configuration, so that both databases find the
 * same. Positions are not stored: Postgres keeps only the first 256 of a word. Whether words are adjacent is checked in the text.
 */
function createPart(name: string): IndexPart {
  const table = sql.table(name);
  const put = prepareQuery((db, { rowId, entries }: { rowId: number; entries: string[] }) => ({
    compile: () =>
      sql`insert into ${table} (row_id, words) values (${rowId}, array_to_tsvector(${entries}::text[]))
        on conflict (row_id) do update set words = excluded.words`.compile(db),
  }));
  return {
    async put(db, texts) {
      await put.each(
        db,
        texts.map(({ rowId, text }) => ({ rowId, entries: listIndexEntries(text) })),
      );
    },
    async remove(db, rowIds) {
      await sql`delete from ${table} where row_id = any (${rowIds}::bigint[])`.execute(db);
    },
    async find(db, { phrases, before, limit }) {
      const wanted = phrases.map(toWordPhrase).filter(({ words }) => words.length > 0);
      const query = wanted.flatMap(({ entries }) => entries).join(" & ");
      if (query === "") return { rowIds: [], last: undefined };
      const { rows } = await sql<{ row_id: number; id: string; body: string }>`
        select row_id, id, body from (
          select row_id from ${table} where words @@ ${query}::tsquery and row_id < ${before} order by row_id desc limit ${limit}
        ) as found join conversation_messages using (row_id) order by row_id desc`.execute(db);
      const toCheck = wanted.filter(({ words, entries }) => words.length > 1 && entries.length > 1);
      const hasPhrases = (row: { id: string; body: string }): boolean => {
        const words = listTextWords(toSearchText(toConversationMessage(row)) ?? "");
        return toCheck.every((phrase) => hasPhrase(words, phrase.words, phrase));
      };
      const found = toCheck.length === 0 ? rows : rows.filter(hasPhrases);
      return { rowIds: found.map(({ row_id }) => row_id), last: rows.length < limit ? undefined : rows.at(-1)?.row_id };
    },
  };
}

export const postgresFullTextIndex = createFullTextIndex({
  toDefinition: (name) => [
    `CREATE TABLE ${name} (row_id bigint PRIMARY KEY, words tsvector NOT NULL)`,
    `CREATE INDEX ${name}_words ON ${name} USING gin (words)`,
  ],
  create: createPart,
});
