import { projectIdSchema, taskIdSchema } from "@skein/contracts";
import type { TeamReader } from "@skein/engine";
import { type RawBuilder, sql } from "kysely";
import { parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";

const ofTask = (table: string): RawBuilder<unknown> =>
  sql`SELECT ${sql.ref(`${table}.id`)} AS id, tasks.project_id AS "projectId" FROM ${sql.table(table)} JOIN tasks ON tasks.id = ${sql.ref(`${table}.task_id`)}`;

const automations = { rows: sql`SELECT id, project_id AS "projectId" FROM automations`, id: "automations.id" };

/** The rows of each kind of id, by its prefix, with their projects. */
const sources: Readonly<Record<string, { rows: RawBuilder<unknown>; id: string }>> = {
  prj: { rows: sql`SELECT id, id AS "projectId" FROM projects`, id: "projects.id" },
  tsk: { rows: sql`SELECT id, project_id AS "projectId" FROM tasks`, id: "tasks.id" },
  att: { rows: ofTask("attempts"), id: "attempts.id" },
  exe: { rows: ofTask("executions"), id: "executions.id" },
  que: { rows: ofTask("queued_messages"), id: "queued_messages.id" },
  apr: { rows: ofTask("approvals"), id: "approvals.id" },
  cmt: { rows: ofTask("review_comments"), id: "review_comments.id" },
  tpl: automations,
  sch: automations,
  hok: automations,
  out: automations,
  rul: { rows: sql`SELECT id, project_id AS "projectId" FROM permission_rules`, id: "permission_rules.id" },
  msg: {
    rows: sql`SELECT messages.id AS id, tasks.project_id AS "projectId" FROM messages
      JOIN attempts ON attempts.id = messages.attempt_id JOIN tasks ON tasks.id = attempts.task_id`,
    id: "messages.id",
  },
};

export function readLocations({ db, dialect }: QueryContext): Pick<TeamReader, "locateProjects" | "listTaskProjects"> {
  return {
    async locateProjects({ ids }) {
      const located = new Map<string, ReturnType<typeof projectIdSchema.parse>>();
      for (const prefix of new Set(ids.map((id) => id.slice(0, 3)))) {
        const source = sources[prefix];
        if (source === undefined) continue;
        const wanted = ids.filter((id) => id.startsWith(`${prefix}_`));
        const found = await sql<{ id: string; projectId: string }>`${source.rows} WHERE ${dialect.isOneOf(source.id, wanted)}`.execute(
          db(),
        );
        for (const { id, projectId } of found.rows) located.set(id, parseRow(projectIdSchema, projectId, `project of ${id}`));
      }
      return located;
    },
    async listTaskProjects() {
      const rows = await db().selectFrom("tasks").select(["id", "project_id"]).execute();
      return rows.map((row) => ({
        taskId: parseRow(taskIdSchema, row.id, `task ${row.id}`),
        projectId: parseRow(projectIdSchema, row.project_id, `task ${row.id}`),
      }));
    },
  };
}
