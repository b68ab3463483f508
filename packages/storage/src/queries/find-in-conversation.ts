import { setImmediate } from "node:timers/promises";
import type { StorageReader } from "@skein/engine";
import type { QueryContext } from "../query-context.ts";
import { toSearchText } from "../search/search-text.ts";
import { selectConversation, toConversationMessage } from "./conversation-messages.ts";

/** Rows per read: the database blocks this thread. */
const stride = 2000;

/** Unlike the global search, this finds parts of words: it reads the bodies of one attempt, not the index. */
export function readFinds({ db, dialect }: QueryContext): Pick<StorageReader, "findConversationMessages"> {
  return {
    async findConversationMessages({ attemptId, text, limit }) {
      const wanted = text.toLowerCase();
      if (wanted === "") return [];
      const pattern = toBodyPattern(text);
      const ofAttempt = selectConversation(db(), attemptId);
      const last = await ofAttempt.select((one) => one.fn.max("position").as("position")).executeTakeFirst();
      const found: string[] = [];
      for (let after = 0; after < (last?.position ?? 0) && found.length < limit; after += stride) {
        const rows = await ofAttempt
          .select(["id", "body"])
          .where("position", ">", after)
          .where("position", "<=", after + stride)
          .where(dialect.matches("body", pattern))
          .orderBy("position")
          .execute();
        // The body is JSON with more than the shown text: only the text itself decides.
        const hits = rows.filter((row) => toSearchText(toConversationMessage(row))?.toLowerCase().includes(wanted));
        found.push(...hits.map(({ id }) => id));
        await setImmediate();
      }
      return found.slice(0, limit);
    },
  };
}

/** Matches every body with the text. LIKE ignores case for ASCII letters only: other letters match any character. */
export function toBodyPattern(text: string): string {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\\%_]/g, "\\$&");
  const loose = Array.from(escaped, (character) =>
    character > "\u007f" && character.toLowerCase() !== character.toUpperCase() ? "%" : character,
  );
  return `%${loose.join("")}%`;
}
