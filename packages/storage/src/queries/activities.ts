import {
  agentIdSchema,
  attemptIdSchema,
  type CheckBadge,
  checkBadgeSchema,
  type LastEnd,
  lastEndSchema,
  type OpenAttempt,
  openAttemptSchema,
  raceIdSchema,
  type TaskId,
  type Totals,
  taskIdSchema,
  totalsSchema,
} from "@skein/contracts";
import { type ActivityParts, noTotals, type StorageReader, toTaskActivity } from "@skein/engine";
import { sql } from "kysely";
import { z } from "zod";
import { parseJsonColumn, parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";
import { readEvents } from "./events.ts";
import { toWait } from "./executions.ts";
import { listPullRequestBadges } from "./pull-requests.ts";

type Scope = Parameters<StorageReader["listActivities"]>[0];

const usageSums = ["inputTokens", "outputTokens", "reasoningTokens", "cacheReadTokens", "cacheWriteTokens", "costUsd"];

interface Ended {
  totals: Totals;
  lastEnd: LastEnd;
}

/** Added to a time so that all times have the same number of digits: then their order is that of their text. */
const timeOffset = 1_000_000_000_000_000;

/** Totals of ended executions, by task or by attempt. */
async function sumExecutions({ db, dialect }: QueryContext, by: "task_id" | "attempt_id", { taskIds }: Scope): Promise<Map<string, Ended>> {
  const sum = (field: string) => sql`sum(${dialect.jsonNumber("usage", field)}) AS ${sql.ref(field)}`;
  // the greatest text is the latest end, and the greater id among equal times
  const { rows } = await sql<Record<string, number | null> & { owner: string; last: string }>`
    SELECT ${sql.ref(by)} AS owner, count(*) AS executions, sum(duration_ms) AS "durationMs",
      max(CAST(ended_at + ${sql.lit(timeOffset)} AS TEXT) || ' ' || id || ' ' || status) AS last,
      ${sql.join(usageSums.map(sum))}, max(${dialect.jsonFlag("usage", "isPartial")}) AS "isPartial"
    FROM executions WHERE status <> 'running' AND ${dialect.isOneOf("task_id", taskIds)} GROUP BY 1`.execute(db());
  return new Map(
    rows.map(({ owner, last, executions, durationMs, isPartial, ...sums }) => {
      const [endedAt, executionId, status] = last.split(" ");
      const reported = Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== null));
      const usage = isPartial ? { ...reported, isPartial: true } : reported;
      const ended = {
        totals: parseRow(totalsSchema, { executions, durationMs, usage }, `executions of ${owner}`),
        lastEnd: parseRow(lastEndSchema, { executionId, status, endedAt: Number(endedAt) - timeOffset }, `executions of ${owner}`),
      };
      return [owner, ended];
    }),
  );
}

/** Everything running or waiting, by attempt. A small set however many tasks there are, and each part has its own index. */
async function listOpen({ db }: QueryContext): Promise<Map<string, OpenAttempt>> {
  const executions = await db()
    .selectFrom("executions")
    .select(["id", "attempt_id", "started_at", "wait_reason", "wait_since", "wait_position", "hold"])
    .where("status", "=", sql.lit("running"))
    .execute();
  const approvals = await db()
    .selectFrom("approvals")
    .select(["id", "attempt_id"])
    .where("status", "=", sql.lit("pending"))
    .orderBy("requested_at")
    .orderBy("id")
    .execute();
  const queues = await db()
    .selectFrom("queued_messages")
    .select((one) => ["attempt_id", one.fn.countAll<number>().as("queued")])
    .groupBy("attempt_id")
    .execute();
  const paused = new Set((await db().selectFrom("queue_pauses").select("attempt_id").execute()).map((row) => row.attempt_id));
  const tools = await db()
    .selectFrom("conversation_messages")
    .select(["id", "execution_id", "running_tool", "body"])
    .where("running_tool", "is not", null)
    .orderBy("execution_id")
    .orderBy("position")
    .execute();
  const attemptIds = new Set([...executions, ...approvals, ...queues].map((row) => row.attempt_id));
  return new Map(
    [...attemptIds].map((attemptId) => {
      const running = executions.find((row) => row.attempt_id === attemptId);
      const fields = {
        attemptId,
        executionId: running?.id ?? null,
        startedAt: running?.started_at ?? null,
        ...(running === undefined ? {} : toWait(running)),
        tools: tools.filter((row) => row.execution_id === running?.id).map(toTool),
        approvals: approvals.filter((row) => row.attempt_id === attemptId).map(({ id }) => id),
        queued: queues.find((row) => row.attempt_id === attemptId)?.queued ?? 0,
        queuePaused: paused.has(attemptId),
      };
      return [attemptId, parseRow(openAttemptSchema, fields, `activity of ${attemptId}`)];
    }),
  );
}

function toTool({ id, running_tool, body }: { id: string; running_tool: string | null; body: string }) {
  const { metadata } = parseRow(runningToolSchema, parseJsonColumn(body, `tool ${id}`), `tool ${id}`);
  return { messageId: id, content: running_tool ?? "", summary: metadata.summary };
}

const runningToolSchema = z.object({ metadata: z.object({ summary: z.unknown() }) });

/** Each attempt of each task; a task without attempts has one row. */
async function listOwners({ db, dialect }: QueryContext, { taskIds }: Scope) {
  const rows = await db()
    .selectFrom("tasks")
    .leftJoin("attempts", "attempts.task_id", "tasks.id")
    .select(["tasks.id as task_id", "attempts.id as attempt_id", "attempts.agent as agent", "attempts.active as active"])
    .select(["attempts.race_id as race_id", "attempts.archived as archived", "attempts.check_state as check_state"])
    .where(dialect.isOneOf("tasks.id", taskIds))
    .execute();
  return rows.map((row) => parseRow(ownerSchema, row, `task ${row.task_id}`));
}

const ownerSchema = z.object({
  task_id: taskIdSchema,
  attempt_id: attemptIdSchema.nullable(),
  agent: agentIdSchema.nullable(),
  active: z.int().nullable(),
  race_id: raceIdSchema.nullable(),
  archived: z.int().nullable(),
  check_state: z.string().nullable(),
});

function toBadge({ attempt_id, race_id, archived, check_state }: z.infer<typeof ownerSchema>): CheckBadge | undefined {
  if (attempt_id === null || archived === 1 || (race_id === null && check_state === null)) return undefined;
  const race = race_id === null ? {} : { raceId: race_id };
  return parseRow(checkBadgeSchema, { attemptId: attempt_id, state: check_state, ...race }, `check of ${attempt_id}`);
}

export function readActivities(context: QueryContext): Pick<StorageReader, "listActivities" | "listAttemptTotals"> {
  return {
    async listActivities(scope) {
      const seq = await readEvents(context).getLastSeq();
      const ended = await sumExecutions(context, "task_id", scope);
      const open = await listOpen(context);
      const pullRequests = await listPullRequestBadges(context, context.dialect.isOneOf("task_id", scope.taskIds));
      const parts = new Map<TaskId, Pick<ActivityParts, "active" | "attempts"> & { open: OpenAttempt[]; checks: CheckBadge[] }>();
      for (const owner of await listOwners(context, scope)) {
        const { task_id, attempt_id, agent, active } = owner;
        const known = parts.get(task_id) ?? { active: null, attempts: 0, open: [], checks: [] };
        parts.set(task_id, known);
        if (attempt_id !== null) known.attempts += 1;
        const going = open.get(attempt_id ?? "");
        if (going !== undefined) known.open.push(going);
        const badge = toBadge(owner);
        if (badge !== undefined) known.checks.push(badge);
        if (attempt_id !== null && agent !== null && active === 1) known.active = { attemptId: attempt_id, agent };
      }
      return new Map(
        [...parts].map(([taskId, known]) => {
          const { totals = noTotals, lastEnd = null } = ended.get(taskId) ?? {};
          return [taskId, toTaskActivity({ seq, ...known, pullRequests: pullRequests.get(taskId) ?? [], totals, lastEnd })];
        }),
      );
    },
    async listAttemptTotals({ taskId }) {
      const ended = await sumExecutions(context, "attempt_id", { taskIds: [taskId] });
      return new Map([...ended].map(([attemptId, sums]) => [parseRow(attemptIdSchema, attemptId, "attempt"), sums]));
    },
  };
}
