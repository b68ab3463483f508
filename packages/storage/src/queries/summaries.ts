import { type Summary, summarySchema } from "@skein/contracts";
import type { StorageReader, StorageTransaction } from "@skein/engine";
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

export function readSummaries({ db }: QueryContext): Pick<StorageReader, "findActiveSummary"> {
  return {
    async findActiveSummary({ attemptId }) {
      const row = await db()
        .selectFrom("summaries")
        .selectAll()
        .where("attempt_id", "=", attemptId)
        .where("status", "=", sql.lit("active"))
        .executeTakeFirst();
      return row && toSummary(row);
    },
  };
}

export function writeSummaries({ db }: QueryContext): Pick<StorageTransaction, "putSummary"> {
  return {
    /** A summary that is put back as `invalid` or `superseded` (an undo) leaves the others as they are. */
    async putSummary(summary) {
      if (summary.status === "active") {
        await db()
          .updateTable("summaries")
          .set({ status: "superseded" })
          .where("attempt_id", "=", summary.attemptId)
          .where("status", "=", "active")
          .where("id", "<>", summary.id)
          .execute();
      }
      const { id, attempt_id, ...content } = toSummaryRow(summary);
      await db()
        .insertInto("summaries")
        .values({ id, attempt_id, ...content })
        .onConflict((known) => known.column("id").doUpdateSet(content))
        .execute();
    },
  };
}
