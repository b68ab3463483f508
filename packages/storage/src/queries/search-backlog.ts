import type { StorageTransaction } from "@skein/engine";
import type { QueryContext } from "../query-context.ts";
import { toConversationMessage } from "./conversation-messages.ts";
import { indexMessages } from "./index-messages.ts";

/** Re-indexes what an earlier release indexed, in small steps, newest first. */
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
      const last = rows.at(-1);
      if (last === undefined) {
        await fullText.dropEarlier(db());
        await db().deleteFrom("search_backlog").execute();
        return false;
      }
      // first: entries at or above it need not be removed from the earlier index one by one
      await db().updateTable("search_backlog").set({ below: last.row_id }).execute();
      const messages = rows.map((row) => ({ rowId: row.row_id, message: toConversationMessage(row) }));
      await indexMessages({ db: db(), fullText }, messages);
      return true;
    },
  };
}
