import {
  agentIdSchema,
  describeStorageFault,
  type Execution,
  type ExecutionId,
  type ExecutionWait,
  executionSchema,
  jsonValueSchema,
  projectIdSchema,
  type RunningExecution,
} from "@skein/contracts";
import type { SnapshotEntry, StorageReader, StorageTransaction } from "@skein/engine";
import { type Selectable, sql } from "kysely";
import { z } from "zod";
import type { ExecutionTable, IngestEntryTable, IngestPositionTable } from "../database.ts";
import { StorageUnavailableError } from "../errors.ts";
import { parseJsonColumn, parseRow } from "../json-column.ts";
import { prepareQuery } from "../prepared-query.ts";
import type { QueryContext } from "../query-context.ts";
import { fromActorColumn, toActorColumn } from "./actor-column.ts";

/** A literal: with a parameter, SQLite would not use the partial index of running executions. */
const isRunning = sql.lit("running");

/** As stored; parsed with the execution or the activity that it belongs to. */
export function toWait({
  id,
  wait_reason,
  wait_since,
  wait_position,
  hold,
}: Pick<Selectable<ExecutionTable>, "id" | "wait_reason" | "wait_since" | "wait_position" | "hold">): { wait?: unknown } {
  if (hold !== null) return { wait: parseJsonColumn(hold, `execution ${id}`) };
  return wait_reason === null ? {} : { wait: { for: wait_reason, since: wait_since, position: wait_position } };
}

function toExecution(row: Selectable<ExecutionTable>): Execution {
  const started = {
    id: row.id,
    taskId: row.task_id,
    attemptId: row.attempt_id,
    number: row.number,
    startedAt: row.started_at,
    ...fromActorColumn(row.sent_by, `execution ${row.id}`),
  };
  const ended = {
    endedAt: row.ended_at,
    durationMs: row.duration_ms,
    exitCode: row.exit_code,
    reason: row.reason,
    ...(row.reason_text === null ? {} : { reasonText: parseJsonColumn(row.reason_text, `execution ${row.id}`) }),
    code: row.end_code,
    usage: parseJsonColumn(row.usage ?? "{}", `execution ${row.id}`),
  };
  const fields = row.status === "running" ? { ...started, ...toWait(row) } : { ...started, ...ended };
  return parseRow(executionSchema, { ...fields, status: row.status }, `execution ${row.id}`);
}

export async function loadExecutions({ db }: QueryContext, ids: readonly string[]): Promise<Map<string, Execution>> {
  if (ids.length === 0) return new Map();
  const rows = await db().selectFrom("executions").selectAll().where("id", "in", ids).execute();
  return new Map(rows.map((row) => [row.id, toExecution(row)]));
}

const occupantOwnerSchema = z.object({ agent: agentIdSchema, projectId: projectIdSchema });

export function readExecutions({
  db,
  nodeId,
}: QueryContext): Pick<
  StorageReader,
  | "listExecutions"
  | "listExecutionIds"
  | "findExecution"
  | "listRunningExecutions"
  | "findStopRequest"
  | "listOccupants"
  | "getIngestPosition"
> {
  return {
    async listExecutions({ attemptId, after, limit }) {
      const rows = await db()
        .selectFrom("executions")
        .selectAll()
        .where("attempt_id", "=", attemptId)
        .$if(after !== undefined, (of) => of.where("number", ">", after ?? 0))
        .orderBy("number")
        .$if(limit !== undefined, (of) => of.limit(limit ?? 0))
        .execute();
      return rows.map(toExecution);
    },
    async listExecutionIds({ attemptId }) {
      const rows = await db().selectFrom("executions").select("id").where("attempt_id", "=", attemptId).orderBy("number").execute();
      return rows.map(({ id }) => id as ExecutionId);
    },
    async findExecution({ id }) {
      const row = await db().selectFrom("executions").selectAll().where("id", "=", id).executeTakeFirst();
      return row && toExecution(row);
    },
    async listRunningExecutions({ attemptId, taskId, isOwn = false } = {}) {
      const rows = await db()
        .selectFrom("executions")
        .selectAll()
        .where("status", "=", isRunning)
        .$if(attemptId !== undefined, (running) => running.where("attempt_id", "=", attemptId ?? ""))
        .$if(taskId !== undefined, (running) => running.where("task_id", "=", taskId ?? ""))
        .$if(isOwn && nodeId !== undefined, (running) => running.where("owner_node", "=", nodeId ?? ""))
        .orderBy("started_at")
        .orderBy("id")
        .execute();
      return rows.map(toExecution).filter((execution): execution is RunningExecution => execution.status === "running");
    },
    async findStopRequest({ executionId }) {
      const request = db().selectFrom("executions").select("stop_requested_at").where("id", "=", executionId);
      return (await request.executeTakeFirst())?.stop_requested_at ?? undefined;
    },
    async listOccupants() {
      const rows = await db()
        .selectFrom("executions")
        .innerJoin("attempts", "attempts.id", "executions.attempt_id")
        .innerJoin("tasks", "tasks.id", "executions.task_id")
        .selectAll("executions")
        .select(["attempts.agent as agent", "tasks.project_id as project_id"])
        .where("executions.status", "=", isRunning)
        .orderBy(sql`executions.wait_position IS NOT NULL`)
        .orderBy("executions.wait_position")
        .orderBy("executions.started_at")
        .orderBy("executions.id")
        .execute();
      return rows.map(({ agent, project_id, ...row }) => {
        const owner = parseRow(occupantOwnerSchema, { agent, projectId: project_id }, `execution ${row.id}`);
        return { execution: toExecution(row) as RunningExecution, ...owner };
      });
    },
    async getIngestPosition({ executionId }) {
      const row = await db().selectFrom("ingest_positions").selectAll().where("execution_id", "=", executionId).executeTakeFirst();
      if (!row) return { offset: 0, ingestState: null, entries: [] };
      const name = `ingest position of ${executionId}`;
      const state = row.ingest_state === null ? null : parseJsonColumn(row.ingest_state, name);
      const kept = await db()
        .selectFrom("ingest_entries")
        .select(["name", "value"])
        .where("execution_id", "=", executionId)
        .orderBy(sql`rowid`)
        .execute();
      const entries = kept.map((entry): SnapshotEntry => [entry.name, parseRow(jsonValueSchema, parseJsonColumn(entry.value, name), name)]);
      return { offset: row.log_offset, ingestState: parseRow(jsonValueSchema, state, name), entries };
    },
  };
}

const putIngestPosition = prepareQuery((db, { execution_id, log_offset, ingest_state }: IngestPositionTable) => {
  const position = { log_offset, ingest_state };
  return db
    .insertInto("ingest_positions")
    .values({ execution_id, ...position })
    .onConflict((known) => known.column("execution_id").doUpdateSet(position));
});

/** Deleted and inserted again, so that rows are in the order of their last change. */
const insertIngestEntry = prepareQuery((db, { execution_id, name, value }: IngestEntryTable) =>
  db.insertInto("ingest_entries").values({ execution_id, name, value }),
);

const deleteIngestEntry = prepareQuery((db, { execution_id, name }: Pick<IngestEntryTable, "execution_id" | "name">) =>
  db.deleteFrom("ingest_entries").where("execution_id", "=", execution_id).where("name", "=", name),
);

const noWait = { wait_reason: null, wait_since: null, wait_position: null, hold: null };

/** What is stored of what it has used, with the time until `at` for which it has waited. */
function addWaited(row: Selectable<ExecutionTable>, at: number): { spent?: string } {
  const { wait } = toWait(row) as { wait?: { since: number } };
  if (wait === undefined) return {};
  const spent = parseJsonColumn(row.spent ?? "{}", `execution ${row.id}`) as { waitedMs?: number };
  return { spent: JSON.stringify({ ...spent, waitedMs: (spent.waitedMs ?? 0) + Math.max(0, at - wait.since) }) };
}

/**
 * The server of the attempt: its agent runs there. The agent of an attempt on a worker does not: if that server is gone, the one that the
 * worker is connected to.
 */
const ownerOf = (attemptId: string) =>
  sql<
    string | null
  >`(SELECT CASE WHEN home.state IS DISTINCT FROM 'active' AND connected.id IS NOT NULL THEN connected.id ELSE attempts.node_id END
    FROM attempts LEFT JOIN nodes AS home ON home.id = attempts.node_id LEFT JOIN hosts ON hosts.id = attempts.host_id
    LEFT JOIN nodes AS connected ON connected.id = hosts.connected_node_id AND connected.state = 'active'
    WHERE attempts.id = ${attemptId})`;

export function writeExecutions({
  db,
  nodeId,
}: QueryContext): Pick<StorageTransaction, "insertExecution" | "endExecution" | "requestStop" | "setExecutionWait" | "setIngestPosition"> {
  /** Of several servers, only the owner writes what an agent has printed, and its end. */
  async function assertOwner(id: ExecutionId): Promise<void> {
    if (nodeId === undefined) return;
    const row = await db().selectFrom("executions").select(["owner_node", "status"]).where("id", "=", id).executeTakeFirst();
    if (row === undefined || row.status !== "running" || row.owner_node === nodeId) return;
    const { cause, remedy } = describeStorageFault("lease-lost");
    throw new StorageUnavailableError("lease-lost", `${cause} ${remedy}`, { cause: new Error(`${id} belongs to ${row.owner_node}`) });
  }

  return {
    async insertExecution({ id, taskId, attemptId, number, status, startedAt, by }) {
      await db()
        .insertInto("executions")
        .values({
          ...{ id, task_id: taskId, attempt_id: attemptId, number, status, started_at: startedAt, sent_by: toActorColumn(by) },
          owner_node:
            nodeId === undefined ? (one) => one.selectFrom("attempts").select("node_id").where("id", "=", attemptId) : ownerOf(attemptId),
        })
        .execute();
    },
    async requestStop({ executionId, at }) {
      await db()
        .updateTable("executions")
        .set({ stop_requested_at: at })
        .where("id", "=", executionId)
        .where("status", "=", isRunning)
        .where("stop_requested_at", "is", null)
        .execute();
    },
    async endExecution({ id, status, endedAt, durationMs, exitCode, reason, reasonText, code, usage }) {
      await assertOwner(id);
      const running = await db().selectFrom("executions").selectAll().where("id", "=", id).executeTakeFirst();
      const result = await db()
        .updateTable("executions")
        .set({
          status,
          ended_at: endedAt,
          duration_ms: durationMs,
          exit_code: exitCode,
          reason,
          reason_text: reasonText === undefined ? null : JSON.stringify(reasonText),
          end_code: code,
          usage: JSON.stringify(usage),
          ...(running === undefined ? {} : addWaited(running, endedAt)),
          ...{ open_calls: null, stopping: null },
          ...noWait,
        })
        .where("id", "=", id)
        .where("status", "=", "running")
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },
    async setExecutionWait({ id, wait, at }) {
      const before = await db().selectFrom("executions").selectAll().where("id", "=", id).executeTakeFirst();
      const isSame = before !== undefined && wait !== null && (toWait(before) as { wait?: ExecutionWait }).wait?.since === wait.since;
      const columns = {
        ...noWait,
        ...(wait?.for === "limit" ? { wait_reason: wait.for, wait_since: wait.since, wait_position: wait.position } : {}),
        ...(wait === null || wait.for === "limit" ? {} : { hold: JSON.stringify(wait) }),
        ...(before === undefined || isSame ? {} : addWaited(before, at)),
      };
      const row = await db()
        .updateTable("executions")
        .set(columns)
        .where("id", "=", id)
        .where("status", "=", "running")
        .returningAll()
        .executeTakeFirst();
      return row && (toExecution(row) as RunningExecution);
    },
    async setIngestPosition({ executionId, offset, ingestState, entries }) {
      await assertOwner(executionId);
      const ingest_state = ingestState === null ? null : JSON.stringify(ingestState);
      await putIngestPosition(db(), { execution_id: executionId, log_offset: offset, ingest_state });
      if (ingestState === null) {
        await db().deleteFrom("ingest_entries").where("execution_id", "=", executionId).execute();
        return;
      }
      await deleteIngestEntry.each(
        db(),
        entries.map(([name]) => ({ execution_id: executionId, name })),
      );
      const kept = entries.filter(([, value]) => value !== null);
      await insertIngestEntry.each(
        db(),
        kept.map(([name, value]) => ({ execution_id: executionId, name, value: JSON.stringify(value) })),
      );
    },
  };
}
