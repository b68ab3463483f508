import { type EndedItem, endedItemSchema, type FeedbackItem, type InboxItem } from "@skein/contracts";
import { type StorageReader, type StorageTransaction, toFeedbackItem } from "@skein/engine";
import { type Selectable, sql } from "kysely";
import type { InboxItemTable } from "../database.ts";
import { parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";
import { loadExecutions } from "./executions.ts";
import { type PullRequestRow, toStored } from "./pull-requests.ts";

type Row = Selectable<InboxItemTable>;

/** In the order of the rows. */
async function toEndedItems(context: QueryContext, rows: readonly Row[]): Promise<EndedItem[]> {
  const executions = await loadExecutions(
    context,
    rows.map((row) => row.execution_id),
  );
  const races = await countRaces(
    context,
    rows.map((row) => row.attempt_id),
  );
  return rows.map((row) => {
    const race = races.get(row.attempt_id);
    const fields = { id: row.execution_id, taskId: row.task_id, attemptId: row.attempt_id, clearedAt: row.cleared_at };
    const name = `inbox item ${row.execution_id}`;
    return parseRow(
      endedItemSchema,
      { kind: "ended", ...fields, execution: executions.get(row.execution_id), ...(race && { race }) },
      name,
    );
  });
}

/** How the races of these attempts stand, by attempt. */
async function countRaces({ db }: QueryContext, attemptIds: readonly string[]): Promise<Map<string, EndedItem["race"]>> {
  if (attemptIds.length === 0) return new Map();
  const rows = await db()
    .selectFrom("attempts as own")
    .innerJoin("attempts as racing", "racing.race_id", "own.race_id")
    .select(["own.id as id", "own.race_id as raceId"])
    .select((one) => one.fn.countAll<number>().as("total"))
    .select(sql<number>`sum(CASE WHEN racing.check_state = 'passed' THEN 1 ELSE 0 END)`.as("passed"))
    .where("own.id", "in", attemptIds)
    .where((where) => where.or([where("racing.archived", "is", null), where("racing.archived", "=", 0)]))
    .groupBy(["own.id", "own.race_id"])
    .execute();
  return new Map(
    rows.map(({ id, raceId, total, passed }) => [id, raceSchema.parse({ raceId, total: Number(total), passed: Number(passed) })]),
  );
}

const raceSchema = endedItemSchema.shape.race;

function toFeedbackItems(rows: readonly PullRequestRow[]): FeedbackItem[] {
  return rows.flatMap((row) => toFeedbackItem(toStored(row)) ?? []);
}

/** By id: that of an execution, or of an attempt with a pull request. */
export async function loadInboxItems(context: QueryContext, ids: readonly string[]): Promise<Map<string, InboxItem>> {
  if (ids.length === 0) return new Map();
  const db = context.db();
  const ended = await db.selectFrom("inbox_items").selectAll().where("execution_id", "in", ids).execute();
  const feedback = await db.selectFrom("pull_requests").selectAll().where("attempt_id", "in", ids).execute();
  const items = [...(await toEndedItems(context, ended)), ...toFeedbackItems(feedback)];
  return new Map(items.map((item) => [item.id, item]));
}

export function readInboxItems(context: QueryContext): Pick<StorageReader, "listInboxItems" | "findInboxItem"> {
  return {
    async findInboxItem({ id }) {
      return (await loadInboxItems(context, [id])).get(id);
    },
    async listInboxItems() {
      const db = context.db();
      const ended = await db.selectFrom("inbox_items").selectAll().where("cleared_at", "is", null).execute();
      const feedback = await db
        .selectFrom("pull_requests")
        .selectAll()
        .where("inbox_added_at", "is not", null)
        .where("inbox_cleared_at", "is", null)
        .execute();
      const addedAt = new Map(ended.map((row) => [row.execution_id, row.added_at]));
      const items: InboxItem[] = [...(await toEndedItems(context, ended)), ...toFeedbackItems(feedback)];
      const at = (item: InboxItem) => (item.kind === "feedback" ? item.addedAt : (addedAt.get(item.id) ?? 0));
      return items.sort((a, b) => at(a) - at(b) || (a.id < b.id ? -1 : 1));
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
      const ended = await db()
        .updateTable("inbox_items")
        .set({ cleared_at: at })
        .where(column, "=", id)
        .where("cleared_at", "is", null)
        .returningAll()
        .execute();
      const items = await toEndedItems(context, ended);
      // a message to the attempt does not answer its feedback
      if ("attemptId" in which) return items;
      const feedback = await db()
        .updateTable("pull_requests")
        .set({ inbox_cleared_at: at })
        .where("taskId" in which ? "task_id" : "attempt_id", "=", id)
        .where("inbox_added_at", "is not", null)
        .where("inbox_cleared_at", "is", null)
        .returningAll()
        .execute();
      return [...items, ...toFeedbackItems(feedback)];
    },
    async reopenInboxItem({ id }) {
      const ended = await db()
        .updateTable("inbox_items")
        .set({ cleared_at: null })
        .where("execution_id", "=", id)
        .where("cleared_at", "is not", null)
        .returningAll()
        .execute();
      const feedback = await db()
        .updateTable("pull_requests")
        .set({ inbox_cleared_at: null })
        .where("attempt_id", "=", id)
        .where("inbox_cleared_at", "is not", null)
        .returningAll()
        .execute();
      return (await toEndedItems(context, ended))[0] ?? toFeedbackItems(feedback)[0];
    },
  };
}
