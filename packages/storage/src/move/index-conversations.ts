import type { Kysely } from "kysely";
import type { Database } from "../database.ts";
import { toConversationMessage } from "../queries/conversation-messages.ts";
import { indexMessages } from "../queries/index-messages.ts";
import type { FullTextIndex } from "../query-context.ts";

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
    await indexMessages(
      { db, fullText },
      rows.map((row) => ({ rowId: row.row_id, message: toConversationMessage(row) })),
    );
    if (rows.length < rowsAtOnce) return;
    last = rows.at(-1)?.row_id ?? last;
  }
}
