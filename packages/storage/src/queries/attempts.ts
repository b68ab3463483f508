import { type Attempt, attemptSchema } from "@skein/contracts";
import { StorageConstraintError, type StorageReader, type StorageTransaction } from "@skein/engine";
import { type Kysely, type Selectable, sql } from "kysely";
import type { AttemptTable, Database } from "../database.ts";
import { parseJsonColumn, parseRow } from "../json-column.ts";
import { expectUpdated } from "../missing-row.ts";
import type { QueryContext } from "../query-context.ts";
import { fromActorColumn, toActorColumn } from "./actor-column.ts";

function toAttempt(row: Selectable<AttemptTable>): Attempt {
  const { id, number, agent, model, isolation, directory, branch } = row;
  const fields = {
    ...{ id, taskId: row.task_id, number, agent, model, isolation, directory, branch },
    ...(row.host_id === null ? {} : { hostId: row.host_id }),
    permissionMode: row.permission_mode,
    ...(row.agent_mode === null ? {} : { agentMode: row.agent_mode }),
    systemPrompt: row.system_prompt,
    ...(row.agent_access === null ? {} : { agentAccess: row.agent_access === 1 }),
    ...(row.sandbox === null ? {} : { sandbox: row.sandbox }),
    baseBranch: row.base_branch,
    baseCommit: row.base_commit,
    sessionId: row.session_id,
    ...(row.resumed_session === null ? {} : { resumedSession: row.resumed_session }),
    ...(row.session_options === null ? {} : { sessionOptions: parseJsonColumn(row.session_options, `attempt ${id}`) }),
    continuedFrom: row.continued_from,
    ...(row.forked_execution === null ? {} : { forkedFrom: { executionId: row.forked_execution, at: row.forked_place } }),
    ...(row.node_id === null ? {} : { nodeId: row.node_id }),
    active: row.active === 1,
    ...(row.race_id === null ? {} : { raceId: row.race_id }),
    ...(row.archived === null ? {} : { archived: row.archived === 1 }),
    ...(row.last_check === null ? {} : { check: parseJsonColumn(row.last_check, `attempt ${id}`) }),
    ...fromActorColumn(row.created_by, `attempt ${id}`),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  return parseRow(attemptSchema, fields, `attempt ${id}`);
}

function toAttemptRow(attempt: Attempt): Omit<AttemptTable, "node_id"> {
  const { id, number, agent, model, isolation, directory, branch } = attempt;
  return {
    ...{ id, task_id: attempt.taskId, number, agent, model, isolation, directory, branch },
    host_id: attempt.hostId ?? null,
    permission_mode: attempt.permissionMode,
    agent_mode: attempt.agentMode ?? null,
    system_prompt: attempt.systemPrompt,
    agent_access: attempt.agentAccess === undefined ? null : attempt.agentAccess ? 1 : 0,
    sandbox: attempt.sandbox ?? null,
    base_branch: attempt.baseBranch,
    base_commit: attempt.baseCommit,
    session_id: attempt.sessionId,
    resumed_session: attempt.resumedSession ?? null,
    session_options: attempt.sessionOptions === undefined ? null : JSON.stringify(attempt.sessionOptions),
    continued_from: attempt.continuedFrom,
    forked_execution: attempt.forkedFrom?.executionId ?? null,
    forked_place: attempt.forkedFrom?.at ?? null,
    active: attempt.active ? 1 : 0,
    race_id: attempt.raceId ?? null,
    archived: attempt.archived === undefined ? null : attempt.archived ? 1 : 0,
    check_state: attempt.check?.state ?? null,
    last_check: attempt.check === undefined ? null : JSON.stringify(attempt.check),
    created_by: toActorColumn(attempt.by),
    created_at: attempt.createdAt,
    updated_at: attempt.updatedAt,
  };
}

export async function loadAttempts({ db }: QueryContext, ids: readonly string[]): Promise<Map<string, Attempt>> {
  if (ids.length === 0) return new Map();
  const rows = await db().selectFrom("attempts").selectAll().where("id", "in", ids).execute();
  return new Map(rows.map((row) => [row.id, toAttempt(row)]));
}

export function readAttempts({
  db,
}: QueryContext): Pick<StorageReader, "listAttempts" | "findAttempt" | "listRemoteAttempts" | "listOpenChecks"> {
  return {
    async listOpenChecks() {
      const rows = await db()
        .selectFrom("attempts")
        .selectAll()
        .where("check_state", "in", [sql.lit("waiting"), sql.lit("running")])
        .orderBy("id")
        .execute();
      return rows.map(toAttempt);
    },
    async listAttempts({ taskId }) {
      const rows = await db().selectFrom("attempts").selectAll().where("task_id", "=", taskId).orderBy("number").execute();
      return rows.map(toAttempt);
    },
    async listRemoteAttempts() {
      const rows = await db().selectFrom("attempts").selectAll().where("host_id", "is not", null).execute();
      return rows.map(toAttempt);
    },
    async findAttempt({ id }) {
      const row = await db().selectFrom("attempts").selectAll().where("id", "=", id).executeTakeFirst();
      return row && toAttempt(row);
    },
  };
}

async function deactivateAttempts(db: Kysely<Database>, { taskId, at }: { taskId: string; at: number }): Promise<void> {
  await db.updateTable("attempts").set({ active: 0, updated_at: at }).where("task_id", "=", taskId).where("active", "=", 1).execute();
}

export function writeAttempts({
  db,
  nodeId,
}: QueryContext): Pick<StorageTransaction, "insertAttempt" | "updateAttempt" | "activateAttempt" | "deleteAttempt"> {
  return {
    async insertAttempt(attempt) {
      if (attempt.active) await deactivateAttempts(db(), { taskId: attempt.taskId, at: attempt.createdAt });
      await db()
        .insertInto("attempts")
        .values({ ...toAttemptRow(attempt), node_id: attempt.nodeId ?? nodeId ?? null })
        .execute();
    },
    async updateAttempt(attempt) {
      const {
        id,
        task_id: _task,
        number: _number,
        active: _active,
        created_at: _created,
        created_by: _by,
        ...changes
      } = toAttemptRow(attempt);
      expectUpdated(await db().updateTable("attempts").set(changes).where("id", "=", id).executeTakeFirst(), `attempt ${id}`);
    },
    async activateAttempt({ id, at }) {
      const attempt = await db().selectFrom("attempts").select(["task_id", "active"]).where("id", "=", id).executeTakeFirst();
      if (!attempt) throw new StorageConstraintError(`There is no attempt ${id} to activate.`);
      if (attempt.active === 1) return;
      await deactivateAttempts(db(), { taskId: attempt.task_id, at });
      await db().updateTable("attempts").set({ active: 1, updated_at: at }).where("id", "=", id).execute();
    },
    async deleteAttempt({ id }) {
      await db().deleteFrom("attempts").where("id", "=", id).execute();
    },
  };
}
