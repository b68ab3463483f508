import { type SearchHit, searchHitSchema } from "@skein/contracts";
import type { StorageReader } from "@skein/engine";
import { sql } from "kysely";
import { parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";
import { toExcerpt } from "../search/excerpt.ts";
import { toSearchTerms } from "../search/search-terms.ts";
import { toSearchText } from "../search/search-text.ts";
import { toConversationMessage } from "./conversation-messages.ts";

type TimedHit = SearchHit & { at: number };

function likePattern(term: string): string {
  return `%${term.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
}

async function searchTasks({ db }: QueryContext, { terms, limit }: { terms: readonly string[]; limit: number }): Promise<TimedHit[]> {
  let matching = db().selectFrom("tasks").select(["id", "title", "description", "updated_at"]);
  for (const term of terms) {
    const pattern = likePattern(term);
    matching = matching.where(sql<boolean>`lower(title || ' ' || description) like ${pattern} escape '\\'`);
  }
  const rows = await matching.orderBy("updated_at", "desc").limit(limit).execute();
  return rows.map((row) => {
    const inDescription = row.description !== "" && terms.some((term) => row.description.toLowerCase().includes(term.toLowerCase()));
    const excerpt = toExcerpt(inDescription ? row.description : row.title, terms);
    const hit = { kind: "task", taskId: row.id, taskTitle: row.title, excerpt };
    return { ...parseRow(searchHitSchema, hit, `task ${row.id}`), at: row.updated_at };
  });
}

async function searchMessages(
  { db, fullText }: QueryContext,
  { terms, limit }: { terms: readonly string[]; limit: number },
): Promise<TimedHit[]> {
  const rowIds = await fullText.find(db(), { terms, limit });
  if (rowIds.length === 0) return [];
  const rows = await db()
    .selectFrom("conversation_messages as message")
    .innerJoin("attempts", "attempts.id", "message.attempt_id")
    .innerJoin("tasks", "tasks.id", "attempts.task_id")
    .select(["message.id", "message.attempt_id", "message.timestamp", "message.body", "tasks.id as task_id", "tasks.title"])
    .where("message.row_id", "in", rowIds)
    .execute();
  return rows.map((row) => {
    const excerpt = toExcerpt(toSearchText(toConversationMessage(row)) ?? "", terms);
    const hit = { kind: "message", taskId: row.task_id, taskTitle: row.title, attemptId: row.attempt_id, messageId: row.id, excerpt };
    return { ...parseRow(searchHitSchema, hit, `conversation message ${row.id}`), at: row.timestamp };
  });
}

export function readSearch(context: QueryContext): Pick<StorageReader, "search"> {
  return {
    async search({ text, limit }) {
      const terms = toSearchTerms(text);
      if (terms.length === 0 || limit <= 0) return [];
      const found = [...(await searchTasks(context, { terms, limit })), ...(await searchMessages(context, { terms, limit }))];
      return found
        .sort((a, b) => b.at - a.at)
        .slice(0, limit)
        .map(({ at: _at, ...hit }) => hit);
    },
  };
}
