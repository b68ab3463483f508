import { pruningSchema } from "@skein/contracts";
import type { StorageReader, StorageTransaction } from "@skein/engine";
import type { Selectable } from "kysely";
import type { CompressionTable } from "../database.ts";
import { parseJsonColumn, parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";
import { findActiveSummary, insertSummary } from "./summaries.ts";

function listNewest({ db }: QueryContext, attemptId: string, count: number): Promise<Selectable<CompressionTable>[]> {
  const ofAttempt = db().selectFrom("compressions").selectAll().where("attempt_id", "=", attemptId);
  return ofAttempt.orderBy("number", "desc").limit(count).execute();
}

export function readCompressions(context: QueryContext): Pick<StorageReader, "getCompression"> {
  return {
    async getCompression({ attemptId }) {
      const [newest] = await listNewest(context, attemptId, 1);
      const name = `compression ${newest?.number}`;
      const pruning = newest?.pruning ? parseRow(pruningSchema, parseJsonColumn(newest.pruning, name), name) : null;
      return { summary: (await findActiveSummary(context, attemptId)) ?? null, pruning };
    },
  };
}

export function writeCompressions(context: QueryContext): Pick<StorageTransaction, "saveCompression" | "undoCompression"> {
  const { db } = context;
  return {
    async saveCompression({ attemptId, expectedSummaryId, summary, pruning, at }) {
      const active = await findActiveSummary(context, attemptId);
      if ((active?.id ?? null) !== expectedSummaryId) return false;
      if (summary !== null) await insertSummary(context, summary);
      const change = { summary_id: summary?.id ?? active?.id ?? null, pruning: pruning === null ? null : JSON.stringify(pruning) };
      await db()
        .insertInto("compressions")
        .values({ attempt_id: attemptId, ...change, created_at: at })
        .execute();
      return true;
    },

    async undoCompression({ attemptId }) {
      const [newest, before] = await listNewest(context, attemptId, 2);
      if (newest === undefined) return false;
      await db().deleteFrom("compressions").where("number", "=", newest.number).execute();
      const summaryBefore = before?.summary_id ?? null;
      if (newest.summary_id === summaryBefore) return true;
      const setStatus = (id: string | null, status: string) => db().updateTable("summaries").set({ status }).where("id", "=", id).execute();
      // in this order: the schema allows one active summary
      if (newest.summary_id !== null) await setStatus(newest.summary_id, "invalid");
      if (summaryBefore !== null) await setStatus(summaryBefore, "active");
      return true;
    },
  };
}
