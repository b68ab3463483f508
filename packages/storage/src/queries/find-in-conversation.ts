import type { StorageReader } from "@skein/engine";
import { sql } from "kysely";
import type { QueryContext } from "../query-context.ts";
import { toSearchText } from "../search/search-text.ts";
import { toConversationMessage } from "./conversation-messages.ts";

const pageSize = 500;

/** Unlike the search over everything, this finds parts of words: it reads the bodies of one attempt, not the index. */
export function readFinds({ db }: QueryContext): Pick<StorageReader, "findConversationMessages"> {
  return {
    async findConversationMessages({ attemptId, text, limit }) {
      const wanted = text.toLowerCase();
      const found: string[] = [];
      let after = 0;
      while (wanted !== "" && found.length < limit) {
        const rows = await db()
          .selectFrom("conversation_messages")
          .select(["id", "body", "position"])
          .where("attempt_id", "=", attemptId)
          .where("position", ">", after)
          .where(sql<boolean>`body like ${toBodyPattern(text)} escape '\\'`)
          .orderBy("position")
          .limit(pageSize)
          .execute();
        for (const row of rows) {
          after = row.position;
          // The body is JSON with more in it than is shown: only the text itself decides.
          if (toSearchText(toConversationMessage(row))?.toLowerCase().includes(wanted) && found.length < limit) found.push(row.id);
        }
        if (rows.length < pageSize) break;
      }
      return found;
    },
  };
}

/** Matches every body that holds the text. LIKE knows upper and lower case of ASCII letters only: other letters match any character. */
export function toBodyPattern(text: string): string {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\\%_]/g, "\\$&");
  const loose = Array.from(escaped, (character) =>
    character > "\u007f" && character.toLowerCase() !== character.toUpperCase() ? "%" : character,
  );
  return `%${loose.join("")}%`;
}
