import { jsonValueSchema, projectIdSchema, taskIdSchema, taskSchema } from "@skein/contracts";
import type { AutomationId, AutomationReader, AutomationTransaction, StoredAutomation, StoredAutomationRun } from "@skein/engine";
import { sql } from "kysely";
import { z } from "zod";
import type { AutomationRunTable, AutomationTable } from "../database.ts";
import { parseJsonColumn, parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";
import { fromActorColumn, toActorColumn } from "./actor-column.ts";

const automationSchema = z.object({
  id: z.string().transform((id) => id as AutomationId),
  kind: z.enum(["template", "schedule", "incoming-hook", "outgoing-hook"]),
  projectId: projectIdSchema,
  name: z.string(),
  definition: jsonValueSchema,
  by: taskSchema.shape.by,
  createdAt: z.number(),
  updatedAt: z.number(),
});
const runSchema = z.object({
  automationId: z.string().transform((id) => id as AutomationId),
  key: z.string(),
  state: z.enum(["open", "done", "skipped", "failed"]),
  at: z.number(),
  endedAt: z.number().nullable(),
  taskId: taskIdSchema.nullable(),
  detail: jsonValueSchema,
});

function toAutomation(row: AutomationTable): StoredAutomation {
  const name = `automation ${row.id}`;
  const fields = {
    id: row.id,
    kind: row.kind,
    projectId: row.project_id,
    name: row.name,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  return parseRow(
    automationSchema,
    { ...fields, definition: parseJsonColumn(row.definition, name), ...fromActorColumn(row.created_by, name) },
    name,
  );
}

function toRun(row: AutomationRunTable): StoredAutomationRun {
  const name = `run of ${row.automation_id}`;
  const { automation_id: automationId, key, state, at, ended_at: endedAt, task_id: taskId } = row;
  return parseRow(runSchema, { automationId, key, state, at, endedAt, taskId, detail: parseJsonColumn(row.detail, name) }, name);
}

export function readAutomations({ db }: QueryContext): AutomationReader {
  return {
    async findAutomation({ id }) {
      const row = await db().selectFrom("automations").selectAll().where("id", "=", id).executeTakeFirst();
      return row && toAutomation(row);
    },
    async listAutomations({ kind, projectIds }) {
      if (projectIds?.length === 0) return [];
      const rows = await db()
        .selectFrom("automations")
        .selectAll()
        .where("kind", "=", kind)
        .$if(projectIds !== undefined, (all) => all.where("project_id", "in", [...(projectIds ?? [])]))
        .orderBy("name")
        .orderBy("id")
        .execute();
      return rows.map(toAutomation);
    },
    async findAutomationRun({ automationId, key }) {
      const runs = db().selectFrom("automation_runs").selectAll().where("automation_id", "=", automationId);
      const row = await runs.where("key", "=", key).executeTakeFirst();
      return row && toRun(row);
    },
    async listAutomationRuns({ automationId, limit }) {
      const runs = db().selectFrom("automation_runs").selectAll().where("automation_id", "=", automationId);
      return (await runs.orderBy("at", "desc").orderBy("key", "desc").limit(limit).execute()).map(toRun);
    },
  };
}

export function writeAutomations({ db }: QueryContext): Omit<AutomationTransaction, keyof AutomationReader> {
  return {
    async putAutomation({ id, kind, projectId, name, definition, by, createdAt, updatedAt }) {
      const row = { project_id: projectId, name, definition: JSON.stringify(definition), updated_at: updatedAt };
      await db()
        .insertInto("automations")
        .values({ id, kind, created_by: toActorColumn(by), created_at: createdAt, ...row })
        .onConflict((known) => known.column("id").doUpdateSet(row))
        .execute();
    },
    async deleteAutomation({ id }) {
      return (await db().deleteFrom("automations").where("id", "=", id).executeTakeFirst()).numDeletedRows > 0n;
    },
    async putAutomationRun({ automationId, key, state, at, endedAt, taskId, detail }) {
      const row = { state, at, ended_at: endedAt, task_id: taskId, detail: JSON.stringify(detail) };
      await db()
        .insertInto("automation_runs")
        .values({ automation_id: automationId, key, ...row })
        .onConflict((known) => known.columns(["automation_id", "key"]).doUpdateSet(row))
        .execute();
    },
    async trimAutomationRuns({ automationId, keep }) {
      const newest = db().selectFrom("automation_runs").select("key").where("automation_id", "=", automationId);
      await db()
        .deleteFrom("automation_runs")
        .where("automation_id", "=", automationId)
        .where("state", "!=", sql.lit("open"))
        .where("key", "not in", newest.orderBy("at", "desc").orderBy("key", "desc").limit(keep))
        .execute();
    },
  };
}
