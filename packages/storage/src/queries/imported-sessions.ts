import { type ImportedSession, importedSessionSchema } from "@skein/contracts";
import type { StorageReader, StorageTransaction } from "@skein/engine";
import type { Selectable } from "kysely";
import type { ImportedSessionTable } from "../database.ts";
import { parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";

function toImportedSession(row: Selectable<ImportedSessionTable>): ImportedSession {
  const { source, generation, fingerprint, position, turns } = row;
  const ids = { sessionId: row.session_id, attemptId: row.attempt_id, turnKey: row.turn_key };
  const fields = { source, ...ids, generation, fingerprint, position, turns, importedAt: row.imported_at };
  return parseRow(importedSessionSchema, fields, `imported session ${row.session_id}`);
}

export function readImportedSessions({
  db,
}: QueryContext): Pick<StorageReader, "findImportedSession" | "listImportedSessions" | "listAttemptSessions"> {
  return {
    async findImportedSession({ source, sessionId }) {
      const row = await db()
        .selectFrom("imported_sessions")
        .selectAll()
        .where("source", "=", source)
        .where("session_id", "=", sessionId)
        .executeTakeFirst();
      return row && toImportedSession(row);
    },
    async listImportedSessions({ source }) {
      const rows = await db().selectFrom("imported_sessions").selectAll().where("source", "=", source).orderBy("session_id").execute();
      return rows.map(toImportedSession);
    },
    async listAttemptSessions() {
      const rows = await db()
        .selectFrom("attempts")
        .select(["agent", "session_id as sessionId", "id as attemptId", "task_id as taskId"])
        .select(({ selectFrom }) =>
          selectFrom("executions")
            .select(({ fn }) => fn.countAll<number>().as("count"))
            .whereRef("executions.attempt_id", "=", "attempts.id")
            .as("executions"),
        )
        .where("session_id", "is not", null)
        .orderBy("id")
        .execute();
      return rows.map((row) => ({ ...row, executions: Number(row.executions) })) as Awaited<
        ReturnType<StorageReader["listAttemptSessions"]>
      >;
    },
  };
}

export function writeImportedSessions({ db }: QueryContext): Pick<StorageTransaction, "putImportedSession" | "putImportedExecution"> {
  return {
    async putImportedSession({ source, sessionId, attemptId, generation, fingerprint, position, turnKey, turns, importedAt }) {
      const row = { attempt_id: attemptId, generation, fingerprint, position, turn_key: turnKey, turns, imported_at: importedAt };
      await db()
        .insertInto("imported_sessions")
        .values({ source, session_id: sessionId, ...row })
        .onConflict((known) => known.columns(["source", "session_id"]).doUpdateSet(row))
        .execute();
    },
    async putImportedExecution({ id, taskId, attemptId, number, startedAt, ...end }) {
      const row = {
        status: end.status,
        ended_at: end.endedAt,
        duration_ms: end.durationMs,
        exit_code: end.exitCode,
        reason: end.reason,
        reason_text: end.reasonText === undefined ? null : JSON.stringify(end.reasonText),
        end_code: end.code,
        usage: JSON.stringify(end.usage),
      };
      const changed = await db().updateTable("executions").set(row).where("id", "=", id).executeTakeFirst();
      if (changed.numUpdatedRows > 0n) return false;
      const started = { id, task_id: taskId, attempt_id: attemptId, number, started_at: startedAt };
      await db()
        .insertInto("executions")
        .values({ ...started, ...row })
        .execute();
      return true;
    },
  };
}
