import { setImmediate } from "node:timers/promises";
import { type ConversationMessage, type ProjectId, type SearchHit, searchHitSchema } from "@skein/contracts";
import type { StorageReader } from "@skein/engine";
import { sql } from "kysely";
import { parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";
import { toExcerpt } from "../search/excerpt.ts";
import { type Candidate, rankHits } from "../search/rank-hits.ts";
import { toSearchTerms } from "../search/search-terms.ts";
import { toSearchText } from "../search/search-text.ts";
import { toConversationMessage } from "./conversation-messages.ts";

interface Search {
  terms: readonly string[];
  limit: number;
  signal?: AbortSignal | undefined;
  projectIds?: readonly ProjectId[] | undefined;
}

function likePattern(term: string): string {
  return `%${term.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
}

async function searchTasks({ db, dialect }: QueryContext, { terms, limit, projectIds }: Search): Promise<Candidate[]> {
  let matching = db().selectFrom("tasks").select(["id", "project_id", "title", "description", "updated_at"]);
  if (projectIds !== undefined) matching = matching.where(dialect.isOneOf("project_id", projectIds));
  for (const term of terms) {
    const pattern = likePattern(term);
    matching = matching.where(sql<boolean>`lower(title || ' ' || description) like ${pattern} escape '\\'`);
  }
  const rows = await matching.orderBy("updated_at", "desc").limit(limit).execute();
  return rows.map((row) => {
    const inTitle = terms.every((term) => row.title.toLowerCase().includes(term.toLowerCase()));
    const text = inTitle || row.description === "" ? row.title : row.description;
    return toCandidate({ kind: "task", source: inTitle ? "title" : "description", projectId: row.project_id }, row, { terms, text });
  });
}

/** Other work may run after each page: the database blocks this thread. */
async function searchMessages(context: QueryContext, search: Search): Promise<Candidate[]> {
  const found: Candidate[] = [];
  const seen = new Set<number>();
  for await (const page of context.fullText.find(context.db(), search)) {
    const rowIds = page.filter((rowId) => !seen.has(rowId));
    for (const rowId of rowIds) seen.add(rowId);
    if (rowIds.length > 0) found.push(...(await loadMessages(context, { ...search, rowIds })));
    if (found.length >= search.limit) break;
    await setImmediate();
    search.signal?.throwIfAborted();
  }
  return found;
}

async function loadMessages(
  { db, dialect }: QueryContext,
  { terms, rowIds, projectIds }: Search & { rowIds: readonly number[] },
): Promise<Candidate[]> {
  const rows = await db()
    .selectFrom("conversation_messages as message")
    .innerJoin("attempts", "attempts.id", "message.attempt_id")
    .innerJoin("tasks", "tasks.id", "attempts.task_id")
    .select(["message.id as message_id", "message.attempt_id", "message.timestamp", "message.body"])
    .select(["tasks.id", "tasks.project_id", "tasks.title"])
    .where("message.row_id", "in", rowIds)
    .$if(projectIds !== undefined, (found) => found.where(dialect.isOneOf("tasks.project_id", projectIds ?? [])))
    .execute();
  return rows.map((row) => {
    const message = toConversationMessage({ id: row.message_id, body: row.body });
    const found = {
      kind: "message",
      source: toSource(message),
      projectId: row.project_id,
      attemptId: row.attempt_id,
      messageId: row.message_id,
    };
    return toCandidate(found, { ...row, updated_at: row.timestamp }, { terms, text: toSearchText(message) ?? "" });
  });
}

function toSource(message: ConversationMessage): SearchHit["source"] {
  switch (message.messageType) {
    case "text":
      return message.role === "system" ? "other" : message.role;
    case "thinking":
      return "thinking";
    case "tool_execution":
    case "tool_use":
    case "tool_result":
      return "tool";
    case "error":
    case "notice":
    case "summary":
      return "other";
  }
}

function toCandidate(
  found: object,
  row: { id: string; title: string; updated_at: number },
  { terms, text }: { terms: readonly string[]; text: string },
): Candidate {
  const { text: excerpt, ranges } = toExcerpt(text, terms);
  const hit = { ...found, taskId: row.id, taskTitle: row.title, at: row.updated_at, excerpt, ranges };
  return { hit: parseRow(searchHitSchema, hit, `hit in ${row.id}`), text };
}

/** Ranks the newest matches: for a word that is everywhere, nobody looks for the oldest. */
const candidatesFor = (limit: number): number => Math.min(200, Math.max(limit, 50));

export function readSearch(context: QueryContext): Pick<StorageReader, "search"> {
  return {
    async search({ text, limit, signal, projectIds }) {
      const terms = toSearchTerms(text);
      if (terms.length === 0 || limit <= 0) return [];
      const search = { terms, limit: candidatesFor(limit), signal, projectIds };
      return rankHits([...(await searchTasks(context, search)), ...(await searchMessages(context, search))], text, limit);
    },
  };
}
