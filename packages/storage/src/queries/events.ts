import { type SequencedEvent, type SkeinEvent, taskIdSchema } from "@skein/contracts";
import type { StorageReader, StorageTransaction } from "@skein/engine";
import { sql } from "kysely";
import { parseRow } from "../json-column.ts";
import { prepareQuery } from "../prepared-query.ts";
import type { QueryContext } from "../query-context.ts";
import { type EventRow, toEventRow } from "./event-rows.ts";
import { hydrateEvents } from "./hydrate-events.ts";

const maxBatch = 500;

export function readEvents(
  context: QueryContext,
): Pick<StorageReader, "listEvents" | "getLastSeq" | "listChangedTasks" | "listProjectEventNumbers" | "findEvents"> {
  const { db } = context;
  return {
    async listChangedTasks({ after, behind, limit }) {
      const tasks = await db()
        .selectFrom("tasks")
        .select("tasks.id")
        .$if(behind !== undefined, (all) => all.where("tasks.id", ">", behind ?? ""))
        // one index lookup per task, however many events it has
        .where(({ exists, selectFrom }) =>
          exists(selectFrom("events").select("events.seq").whereRef("events.task_id", "=", "tasks.id").where("events.seq", ">", after)),
        )
        .orderBy("tasks.id")
        .limit(limit)
        .execute();
      return tasks.map(({ id }) => parseRow(taskIdSchema, id, `task ${id}`));
    },
    async listProjectEventNumbers({ after }) {
      const rows = await db()
        .selectFrom("events")
        .select("seq")
        .where("project_id", "is not", null)
        // `+` prevents the primary key, which would scan all newer events, in favour of the small index on project
        .where(sql<number>`+seq`, ">", after)
        .execute();
      return rows.map(({ seq }) => seq).sort((a, b) => a - b);
    },
    async findEvents({ numbers }) {
      if (numbers.length === 0) return [];
      const rows = await db().selectFrom("events").selectAll().where("seq", "in", numbers).orderBy("seq").execute();
      return hydrateEvents(context, rows);
    },
    async listEvents({ after, limit, taskId }) {
      const events: SequencedEvent[] = [];
      let last = after;
      // Reads until the page is full: a page that is short because of deleted subjects would look like the last one.
      while (events.length < limit) {
        const batch = Math.min(maxBatch, limit - events.length);
        const rows = await db()
          .selectFrom("events")
          .selectAll()
          .where("seq", ">", last)
          .$if(taskId !== undefined, (all) => all.where("task_id", "=", taskId ?? ""))
          .orderBy("seq")
          .limit(batch)
          .execute();
        events.push(...(await hydrateEvents(context, rows)));
        if (rows.length < batch) break;
        last = rows.at(-1)?.seq ?? last;
      }
      return events;
    },
    async getLastSeq() {
      const newest = await db()
        .selectFrom("events")
        .select((one) => one.fn.max("seq").as("seq"))
        .executeTakeFirst();
      return newest?.seq ?? 0;
    },
  };
}

/** Without RETURNING: SQLite would open a savepoint per row, and each savepoint flushes the full-text index. */
const insertEvent = prepareQuery(
  (db, row: EventRow) =>
    db.insertInto("events").values({
      type: row.type,
      project_id: row.project_id,
      task_id: row.task_id,
      attempt_id: row.attempt_id,
      execution_id: row.execution_id,
      message_id: row.message_id,
      approval_id: row.approval_id,
      revision: row.revision,
      data: row.data,
      at: row.at,
    }),
  { generatedKey: "seq" },
);

/** Assigns the next sequence numbers, in order. `appended` gets the events, to be published after the commit. */
export type AppendEvents = (events: readonly SkeinEvent[], at: number) => Promise<void>;

export function createAppendEvents({ db }: QueryContext, appended: (event: SequencedEvent) => void): AppendEvents {
  return async (events, at) => {
    const inserted = await insertEvent.each(
      db(),
      events.map((event) => toEventRow(event, at)),
    );
    for (const [index, event] of events.entries()) appended({ seq: inserted[index]?.insertId ?? 0, at, event });
  };
}

export function writeEvents(append: AppendEvents): Pick<StorageTransaction, "appendEvent"> {
  return { appendEvent: (event, at) => append([event], at) };
}
