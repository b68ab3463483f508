import type { StorageTransaction } from "@skein/engine";
import type { QueryContext } from "../query-context.ts";
import { toSearchText } from "../search/search-text.ts";
import { toConversationMessage } from "./conversation-messages.ts";

/** What an earlier release has indexed is indexed again, a little at a time and the newest first. */
export function writeSearchBacklog({ db, fullText }: QueryContext): Pick<StorageTransaction, "renewSearch"> {
  return {
    async renewSearch({ limit }) {
      const backlog = await db().selectFrom("search_backlog").select("below").executeTakeFirst();
      if (backlog === undefined) return false;
      const rows = await db()
        .selectFrom("conversation_messages")
        .select(["row_id", "id", "body"])
        .where("row_id", "<", backlog.below)
        .orderBy("row_id", "desc")
        .limit(limit)
        .execute();
      for (const row of rows) {
        const text = toSearchText(toConversationMessage(row));
        if (text !== undefined) await fullText.put(db(), { rowId: row.row_id, text });
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < limit) await db().deleteFrom("search_backlog").execute();
      else await db().updateTable("search_backlog").set({ below: last.row_id }).execute();
      return last !== undefined && rows.length === limit;
    },
  };
}
