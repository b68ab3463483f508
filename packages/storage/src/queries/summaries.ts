import { type AttemptId, type Summary, summarySchema } from "@skein/contracts";
import { type Selectable, sql } from "kysely";
import type { SummaryTable } from "../database.ts";
import { parseJsonColumn, parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";

function toSummary(row: Selectable<SummaryTable>): Summary {
  const name = `summary ${row.id}`;
  const fields = {
    id: row.id,
    attemptId: row.attempt_id,
    messageIds: parseJsonColumn(row.message_ids, name),
    startMessageId: row.start_message_id,
    endMessageId: row.end_message_id,
    summary: row.summary,
    originalTokenCount: row.original_token_count,
    summaryTokenCount: row.summary_token_count,
    model: row.model,
    status: row.status,
    createdAt: row.created_at,
  };
  return parseRow(summarySchema, fields, name);
}

function toSummaryRow(summary: Summary): SummaryTable {
  return {
    id: summary.id,
    attempt_id: summary.attemptId,
    message_ids: JSON.stringify(summary.messageIds),
    start_message_id: summary.startMessageId,
    end_message_id: summary.endMessageId,
    summary: summary.summary,
    original_token_count: summary.originalTokenCount,
    summary_token_count: summary.summaryTokenCount,
    model: summary.model,
    status: summary.status,
    created_at: summary.createdAt,
  };
}

/** The summary that requests of an attempt currently use. */
export async function findActiveSummary({ db }: QueryContext, attemptId: AttemptId): Promise<Summary | undefined> {
  const row = await db()
    .selectFrom("summaries")
    .selectAll()
    .where("attempt_id", "=", attemptId)
    .where("status", "=", sql.lit("active"))
    .executeTakeFirst();
  return row && toSummary(row);
}

/** Supersedes the active summary of its attempt. */
export async function insertSummary({ db }: QueryContext, summary: Summary): Promise<void> {
  await db()
    .updateTable("summaries")
    .set({ status: "superseded" })
    .where("attempt_id", "=", summary.attemptId)
    .where("status", "=", "active")
    .where("id", "<>", summary.id)
    .execute();
  const { id, attempt_id, ...content } = toSummaryRow(summary);
  await db()
    .insertInto("summaries")
    .values({ id, attempt_id, ...content })
    .onConflict((known) => known.column("id").doUpdateSet(content))
    .execute();
}
