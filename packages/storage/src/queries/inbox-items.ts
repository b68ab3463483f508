import { type InboxItem, inboxItemSchema } from "@skein/contracts";
import type { StorageReader, StorageTransaction } from "@skein/engine";
import type { Selectable } from "kysely";
import type { InboxItemTable } from "../database.ts";
import { parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";
import { loadExecutions } from "./executions.ts";

type Row = Selectable<InboxItemTable>;

/** In the order of the rows. */
async function toItems(context: QueryContext, rows: readonly Row[]): Promise<InboxItem[]> {
  const executions = await loadExecutions(
    context,
    rows.map((row) => row.execution_id),
  );
  return rows.map((row) => {
    const fields = { id: row.execution_id, taskId: row.task_id, attemptId: row.attempt_id, clearedAt: row.cleared_at };
    return parseRow(inboxItemSchema, { ...fields, execution: executions.get(row.execution_id) }, `inbox item ${row.execution_id}`);
  });
}

export async function loadInboxItems(context: QueryContext, ids: readonly string[]): Promise<Map<string, InboxItem>> {
  if (ids.length === 0) return new Map();
  const rows = await context.db().selectFrom("inbox_items").selectAll().where("execution_id", "in", ids).execute();
  return new Map((await toItems(context, rows)).map((item) => [item.id, item]));
}

export function readInboxItems(context: QueryContext): Pick<StorageReader, "listInboxItems" | "findInboxItem"> {
  return {
    async findInboxItem({ id }) {
      return (await loadInboxItems(context, [id])).get(id);
    },
    async listInboxItems() {
      const rows = await context.db().selectFrom("inbox_items").selectAll().where("cleared_at", "is", null).execute();
      return toItems(
        context,
        rows.sort((a, b) => a.added_at - b.added_at || (a.execution_id < b.execution_id ? -1 : 1)),
      );
    },
  };
}

export function writeInboxItems(
  context: QueryContext,
): Pick<StorageTransaction, "insertInboxItem" | "clearInboxItems" | "reopenInboxItem"> {
  const { db } = context;
  return {
    async insertInboxItem({ execution: { id, attemptId, taskId }, at }) {
      await db()
        .insertInto("inbox_items")
        .values({ execution_id: id, attempt_id: attemptId, task_id: taskId, added_at: at, cleared_at: null })
        .execute();
    },
    async clearInboxItems({ at, ...which }) {
      const [column, id] =
        "taskId" in which
          ? (["task_id", which.taskId] as const)
          : "attemptId" in which
            ? (["attempt_id", which.attemptId] as const)
            : (["execution_id", which.id] as const);
      const rows = await db()
        .updateTable("inbox_items")
        .set({ cleared_at: at })
        .where(column, "=", id)
        .where("cleared_at", "is", null)
        .returningAll()
        .execute();
      return toItems(context, rows);
    },
    async reopenInboxItem({ id }) {
      const rows = await db()
        .updateTable("inbox_items")
        .set({ cleared_at: null })
        .where("execution_id", "=", id)
        .where("cleared_at", "is not", null)
        .returningAll()
        .execute();
      return (await toItems(context, rows))[0];
    },
  };
}
