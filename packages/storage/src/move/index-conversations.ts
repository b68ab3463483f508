import type { Kysely } from "kysely";
import type { Database } from "../database.ts";
import { toConversationMessage } from "../queries/conversation-messages.ts";
import type { FullTextIndex, IndexedText } from "../query-context.ts";
import { toSearchText } from "../search/search-text.ts";

const rowsAtOnce = 200;

/** Creates the search index of all conversations. */
export async function indexConversations(db: Kysely<Database>, fullText: FullTextIndex): Promise<void> {
  for (let last = -1; ; ) {
    const rows = await db
      .selectFrom("conversation_messages")
      .select(["row_id", "id", "body"])
      .where("row_id", ">", last)
      .orderBy("row_id")
      .limit(rowsAtOnce)
      .execute();
    const texts = rows.flatMap((row): IndexedText[] => {
      const text = toSearchText(toConversationMessage(row));
      return text === undefined ? [] : [{ rowId: row.row_id, text }];
    });
    await fullText.put(db, texts);
    if (rows.length < rowsAtOnce) return;
    last = rows.at(-1)?.row_id ?? last;
  }
}
