import type { ConversationMessage } from "@skein/contracts";
import type { Kysely } from "kysely";
import type { Database } from "../database.ts";
import type { FullTextIndex, IndexedText } from "../query-context.ts";
import { toSearchText } from "../search/search-text.ts";

/** Adds messages to the search index, except for those that are still growing. */
export async function indexMessages(
  { db, fullText }: { db: Kysely<Database>; fullText: FullTextIndex },
  messages: readonly { rowId: number; message: ConversationMessage }[],
): Promise<void> {
  const texts = messages.flatMap(({ rowId, message }): IndexedText[] => {
    const text = toSearchText(message);
    return text === undefined ? [] : [{ rowId, text }];
  });
  await fullText.put(db, texts);
}
