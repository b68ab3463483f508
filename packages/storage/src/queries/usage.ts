import { type UsageReport, usageReportSchema } from "@skein/contracts";
import type { StorageReader } from "@skein/engine";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";
import type { SqlDialect } from "../sql-dialect.ts";

type Query = Parameters<StorageReader["reportUsage"]>[0];

const shownAttempts = 20;

/** Unreported tokens count as zero; unreported costs are left out. */
const selectSums = ({ jsonNumber, jsonFlag }: SqlDialect) => sql`count(*) AS executions,
  coalesce(sum(${jsonNumber("executions.usage", "inputTokens")}), 0) AS "inputTokens",
  coalesce(sum(${jsonNumber("executions.usage", "outputTokens")}), 0) AS "outputTokens",
  sum(${jsonNumber("executions.usage", "costUsd")}) AS "costUsd",
  coalesce(max(${jsonFlag("executions.usage", "isPartial")}), 0) AS "isPartial"`;

const joined = sql`executions JOIN attempts ON attempts.id = executions.attempt_id JOIN tasks ON tasks.id = executions.task_id`;

function inScope({ from, to, projectId, projectIds }: Query, dialect: SqlDialect): RawBuilder<SqlBool> {
  const visible = projectIds === undefined ? sql`TRUE` : dialect.isOneOf("tasks.project_id", projectIds);
  const project = projectId === undefined ? sql`TRUE` : sql`tasks.project_id = ${projectId}`;
  return sql`executions.status <> 'running' AND executions.started_at >= ${from} AND executions.started_at < ${to} AND ${project} AND ${visible}`;
}

export function readUsage({ db, dialect }: QueryContext): Pick<StorageReader, "reportUsage"> {
  const sums = selectSums(dialect);
  return {
    async reportUsage(query) {
      const localTime = sql<number>`executions.started_at + ${query.utcOffsetMinutes * 60_000}`;
      const days = await sql<UsageReport["days"][number]>`
        SELECT ${dialect.dayOf(localTime)} AS day, attempts.agent AS agent, ${sums}
        FROM ${joined} WHERE ${inScope(query, dialect)} GROUP BY 1, 2 ORDER BY 1, 2`.execute(db());
      const attempts = await sql<UsageReport["attempts"][number]>`
        SELECT * FROM (
          SELECT attempts.id AS "attemptId", tasks.id AS "taskId", tasks.title AS "taskTitle", attempts.number AS number,
            attempts.agent AS agent, ${sums}
          FROM ${joined} WHERE ${inScope(query, dialect)} GROUP BY attempts.id, tasks.id
        ) AS used
        ORDER BY coalesce("costUsd", 0) DESC, "inputTokens" + "outputTokens" DESC, "attemptId" LIMIT ${shownAttempts}`.execute(db());
      // SQLite has no booleans
      const toRow = <Row extends { isPartial: unknown }>(row: Row) => ({ ...row, isPartial: Boolean(row.isPartial) });
      return parseRow(usageReportSchema, { days: days.rows.map(toRow), attempts: attempts.rows.map(toRow) }, "usage report");
    },
  };
}
