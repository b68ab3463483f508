import { budgetMeasureSchema, budgetSchema, callBoundSchema, reachedBudgetSchema, usageSchema } from "@skein/contracts";
import type { BudgetReader, BudgetTransaction, SpendingQuery, StoredBudget } from "@skein/engine";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { z } from "zod";
import { parseJsonColumn, parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";

const allowedSchema = budgetSchema.extend({ unlimited: z.array(budgetMeasureSchema) });
const openCallsSchema = z.record(z.string(), callBoundSchema);
/** `waitedMs` belongs to `setExecutionWait`. */
const spentSchema = usageSchema.extend({ waitedMs: z.number().optional() });

function isCounted(query: SpendingQuery): RawBuilder<SqlBool> {
  const { from = 0, to } = query;
  const before = to === undefined ? sql`TRUE` : sql`executions.started_at < ${to}`;
  // without `from` the index by start would be used for the scan of a single task
  const since = from === 0 ? sql`TRUE` : sql`executions.started_at >= ${from}`;
  const subject =
    "executionId" in query
      ? sql`executions.id = ${query.executionId}`
      : "taskId" in query
        ? sql`executions.task_id = ${query.taskId}`
        : "projectId" in query
          ? sql`executions.task_id IN (SELECT id FROM tasks WHERE project_id = ${query.projectId})`
          : sql`TRUE`;
  return sql`${subject} AND ${since} AND ${before}`;
}

export function readBudgets({ db, dialect: { jsonNumber, jsonFlag } }: QueryContext): BudgetReader {
  return {
    async sumSpending({ at, ...query }) {
      const known = (field: string) => sql`coalesce(${jsonNumber("executions.usage", field)}, ${jsonNumber("executions.spent", field)})`;
      const waited = sql`coalesce(${jsonNumber("executions.spent", "waitedMs")}, 0)`;
      const waitsSince = sql`coalesce(executions.wait_since, ${jsonNumber("executions.hold", "since")})`;
      const { rows } = await sql<{ costUsd: number | null; tokens: number; ms: number; isPartial: number }>`
        SELECT sum(${known("costUsd")}) AS "costUsd",
          coalesce(sum(coalesce(${known("inputTokens")}, 0) + coalesce(${known("outputTokens")}, 0)), 0) AS tokens,
          coalesce(sum(coalesce(executions.duration_ms, coalesce(${waitsSince}, ${at}) - executions.started_at) - ${waited}), 0) AS ms,
          coalesce(max(coalesce(${jsonFlag("executions.usage", "isPartial")}, ${jsonFlag("executions.spent", "isPartial")}, 0)), 0) AS "isPartial"
        FROM executions WHERE ${isCounted(query)}`.execute(db());
      const { costUsd = null, tokens = 0, ms = 0, isPartial = 0 } = rows[0] ?? {};
      return {
        costUsd: costUsd === null ? null : Number(costUsd),
        tokens: Number(tokens),
        ms: Math.max(0, Number(ms)),
        isPartial: isPartial !== 0,
      };
    },
    async listOpenCalls(query) {
      const { rows } = await sql<{ id: string; open_calls: string }>`
        SELECT id, open_calls FROM executions
        WHERE executions.status = ${sql.lit("running")} AND executions.open_calls IS NOT NULL AND ${isCounted(query)}`.execute(db());
      return rows.flatMap(({ id, open_calls }) =>
        Object.values(parseRow(openCallsSchema, parseJsonColumn(open_calls, `calls of ${id}`), `calls of ${id}`)),
      );
    },
    async findSpending({ executionId }) {
      const row = await db()
        .selectFrom("executions")
        .select(["spent", "usage", "open_calls", "stopping"])
        .where("id", "=", executionId)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const name = `spending of ${executionId}`;
      const read = (text: string | null): unknown => parseJsonColumn(text ?? "{}", name);
      const { waitedMs: _, ...usage } = parseRow(spentSchema, read(row.usage ?? row.spent), name);
      return {
        usage,
        openCalls: parseRow(openCallsSchema, read(row.open_calls), name),
        stopping: row.stopping === null ? null : parseRow(reachedBudgetSchema, read(row.stopping), name),
      };
    },
    async findBudget({ scope, subject }) {
      const row = await db().selectFrom("budgets").selectAll().where("scope", "=", scope).where("subject", "=", subject).executeTakeFirst();
      if (row === undefined) return undefined;
      const name = `budget of ${subject}`;
      return {
        ...{ scope, subject },
        projectId: row.project_id as StoredBudget["projectId"],
        taskId: row.task_id as StoredBudget["taskId"],
        own: row.own === null ? null : parseRow(budgetSchema, parseJsonColumn(row.own, name), name),
        allowed: row.allowed === null ? null : parseRow(allowedSchema, parseJsonColumn(row.allowed, name), name),
      };
    },
    async hasBudgets() {
      return (await db().selectFrom("budgets").select("subject").limit(1).executeTakeFirst()) !== undefined;
    },
  };
}

export function writeBudgets({ db }: QueryContext): Omit<BudgetTransaction, keyof BudgetReader> {
  return {
    async setSpending({ executionId, usage, openCalls, stopping }) {
      const row = await db()
        .selectFrom("executions")
        .select(["spent", "status"])
        .where("id", "=", executionId)
        .where("status", "=", "running")
        .executeTakeFirst();
      if (row === undefined) return;
      const name = `spending of ${executionId}`;
      const { waitedMs } = parseRow(spentSchema, parseJsonColumn(row.spent ?? "{}", name), name);
      const changes = {
        ...(usage === undefined ? {} : { spent: JSON.stringify({ ...usage, ...(waitedMs === undefined ? {} : { waitedMs }) }) }),
        ...(openCalls === undefined ? {} : { open_calls: Object.keys(openCalls).length === 0 ? null : JSON.stringify(openCalls) }),
        ...(stopping === undefined ? {} : { stopping: stopping === null ? null : JSON.stringify(stopping) }),
      };
      await db().updateTable("executions").set(changes).where("id", "=", executionId).execute();
    },
    async putBudget({ scope, subject, projectId, taskId, own, allowed }) {
      const values = {
        ...{ project_id: projectId, task_id: taskId },
        own: own === null ? null : JSON.stringify(own),
        allowed: allowed === null ? null : JSON.stringify(allowed),
      };
      await db()
        .insertInto("budgets")
        .values({ scope, subject, ...values })
        .onConflict((known) => known.columns(["scope", "subject"]).doUpdateSet(values))
        .execute();
    },
  };
}
