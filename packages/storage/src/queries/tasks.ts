import { attemptIdSchema, type Task, type TaskId, taskIdSchema, taskSchema } from "@skein/contracts";
import type { StorageReader, StorageTransaction, TaskPlace } from "@skein/engine";
import { type ExpressionBuilder, type Kysely, type Selectable, sql } from "kysely";
import type { Database, TaskTable } from "../database.ts";
import { parseJsonColumn, parseRow } from "../json-column.ts";
import { expectUpdated } from "../missing-row.ts";
import type { QueryContext } from "../query-context.ts";
import { fromActorColumn, toActorColumn } from "./actor-column.ts";

type TaskRow = Selectable<TaskTable> & { active_attempt_id: string | null };

function toTask(row: TaskRow): Task {
  const { id, title, description, status, priority, position } = row;
  const fields = {
    ...{ id, projectId: row.project_id, title, description, status, priority, position },
    tags: parseJsonColumn(row.tags, `task ${id}`),
    archived: row.archived === 1,
    activeAttemptId: row.active_attempt_id,
    ...fromActorColumn(row.created_by, `task ${id}`),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  return parseRow(taskSchema, fields, `task ${id}`);
}

function selectTasks(db: Kysely<Database>) {
  return db
    .selectFrom("tasks")
    .leftJoin("attempts", (join) => join.onRef("attempts.task_id", "=", "tasks.id").on("attempts.active", "=", sql.lit(1)))
    .selectAll("tasks")
    .select("attempts.id as active_attempt_id");
}

export async function loadTasks({ db }: QueryContext, ids: readonly string[]): Promise<Map<string, Task>> {
  if (ids.length === 0) return new Map();
  const rows = await selectTasks(db()).where("tasks.id", "in", ids).execute();
  return new Map(rows.map((row) => [row.id, toTask(row)]));
}

function isAfter(is: ExpressionBuilder<Database, "tasks">, place: TaskPlace = { position: 0, createdAt: 0, id: "" as TaskId }) {
  const { position, createdAt, id } = place;
  return is.and([
    // a separate condition, so that the index is used
    is("tasks.position", ">=", position),
    is.or([
      is("tasks.position", ">", position),
      is("tasks.created_at", ">", createdAt),
      is.and([is("tasks.created_at", "=", createdAt), is("tasks.id", ">", id)]),
    ]),
  ]);
}

export function readTasks({
  db,
  dialect,
}: QueryContext): Pick<StorageReader, "listTasks" | "findTask" | "findIds" | "findLastTaskPosition"> {
  return {
    async listTasks({ projectId, projectIds, status, archived, after, limit } = {}) {
      const rows = await selectTasks(db())
        .$if(projectId !== undefined, (tasks) => tasks.where("tasks.project_id", "=", projectId ?? ""))
        .$if(projectIds !== undefined, (tasks) => tasks.where(dialect.isOneOf("tasks.project_id", projectIds ?? [])))
        .$if(status !== undefined, (tasks) => tasks.where("tasks.status", "=", status ?? ""))
        .$if(archived !== undefined, (tasks) => tasks.where("tasks.archived", "=", archived ? 1 : 0))
        .$if(after !== undefined, (tasks) => tasks.where((is) => isAfter(is, after)))
        .orderBy("tasks.position")
        .orderBy("tasks.created_at")
        .orderBy("tasks.id")
        .$if(limit !== undefined, (tasks) => tasks.limit(limit ?? 0))
        .execute();
      return rows.map(toTask);
    },
    async findLastTaskPosition({ projectId }) {
      const last = await db()
        .selectFrom("tasks")
        .select("position")
        .where("project_id", "=", projectId)
        .orderBy("position", "desc")
        .limit(1)
        .executeTakeFirst();
      return last?.position;
    },
    async findIds({ prefix, limit, projectIds }) {
      const isTask = prefix.startsWith("tsk_");
      const isVisible = sql<boolean>`${sql.ref(isTask ? "id" : "task_id")} IN (SELECT id FROM tasks WHERE ${dialect.isOneOf("project_id", projectIds ?? [])})`;
      const rows = await db()
        .selectFrom(isTask ? "tasks" : "attempts")
        .select("id")
        .where("id", ">=", prefix)
        // greater than every character of an id
        .where("id", "<", `${prefix}~`)
        .$if(projectIds !== undefined, (found) => found.where(isVisible))
        .orderBy("id")
        .limit(limit)
        .execute();
      return rows.map(({ id }) => parseRow(isTask ? taskIdSchema : attemptIdSchema, id, `id ${id}`));
    },
    async findTask({ id }) {
      const row = await selectTasks(db()).where("tasks.id", "=", id).executeTakeFirst();
      return row && toTask(row);
    },
  };
}

function toTaskRow(task: Task): TaskTable {
  const { id, title, description, status, priority, position } = task;
  return {
    ...{ id, project_id: task.projectId, title, description, status, priority, position },
    tags: JSON.stringify(task.tags),
    archived: task.archived ? 1 : 0,
    created_by: toActorColumn(task.by),
    created_at: task.createdAt,
    updated_at: task.updatedAt,
  };
}

export function writeTasks({ db }: QueryContext): Pick<StorageTransaction, "insertTask" | "updateTask" | "deleteTask"> {
  return {
    async insertTask(task) {
      await db().insertInto("tasks").values(toTaskRow(task)).execute();
    },
    async updateTask(task) {
      const { id, project_id: _project, created_at: _created, created_by: _by, ...changes } = toTaskRow(task);
      expectUpdated(await db().updateTable("tasks").set(changes).where("id", "=", id).executeTakeFirst(), `task ${id}`);
    },
    async deleteTask({ id }) {
      await db().deleteFrom("tasks").where("id", "=", id).execute();
    },
  };
}
