import type { StorageReader, StorageTransaction } from "@skein/engine";
import { type Selectable, sql } from "kysely";
import type { DeletionTable } from "../database.ts";
import type { QueryContext } from "../query-context.ts";
import { eventsOfDeletions } from "./event-rows.ts";

type Deletion = Selectable<DeletionTable>;

/** Number of rows that a slice removed or checked, and whether nothing is left. */
interface Slice {
  rows: number;
  isDone: boolean;
}

async function purgeMessages({ db }: QueryContext, { id }: Deletion, limit: number): Promise<Slice> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM messages WHERE id IN (SELECT id FROM messages WHERE execution_id = ${id} LIMIT ${limit})`.execute(db());
  return { rows: Number(numAffectedRows), isDone: numAffectedRows < limit };
}

/** Keeps messages of an existing execution: it was recovered from its log, and the attempt with it. */
async function purgeConversation({ db, fullText, dialect }: QueryContext, { id }: Deletion, limit: number): Promise<Slice> {
  const found = await db()
    .selectFrom("conversation_messages")
    .select("row_id")
    .where("attempt_id", "=", id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("executions").select("executions.id").whereRef("executions.id", "=", "conversation_messages.execution_id"))),
    )
    .limit(limit)
    .execute();
  const rowIds = found.map(({ row_id }) => row_id);
  await fullText.remove(db(), rowIds);
  await db().deleteFrom("conversation_messages").where(dialect.isOneOf("row_id", rowIds)).execute();
  return { rows: rowIds.length, isDone: rowIds.length < limit };
}

async function existsAgain({ db }: QueryContext, { kind, id }: Deletion): Promise<boolean> {
  const table = kind === "task" ? "tasks" : "attempts";
  return (await db().selectFrom(table).select("id").where("id", "=", id).executeTakeFirst()) !== undefined;
}

/**
 * Removes events of a task, or of one of its attempts, unless it was recovered since. Keeps events that report a deletion, and the
 * newest event: without it the last sequence number would decrease, and a client could miss later events.
 */
async function purgeEvents(context: QueryContext, deletion: Deletion, limit: number): Promise<Slice> {
  const { db, dialect } = context;
  if (await existsAgain(context, deletion)) return { rows: 0, isDone: true };
  const looked = await db()
    .selectFrom("events")
    .select(["seq", "type", "attempt_id"])
    .where("task_id", "=", deletion.task_id)
    .where("seq", ">", deletion.after_seq)
    .orderBy("seq")
    .limit(limit)
    .execute();
  const unwanted = looked.filter(
    ({ type, attempt_id }) => !eventsOfDeletions.includes(type) && (deletion.kind === "task" || attempt_id === deletion.id),
  );
  const numbers = unwanted.map(({ seq }) => seq);
  await sql`DELETE FROM events WHERE ${dialect.isOneOf("seq", numbers)} AND seq < (SELECT max(seq) FROM events)`.execute(db());
  const last = looked.at(-1)?.seq ?? deletion.after_seq;
  await db().updateTable("deletions").set({ after_seq: last }).where("number", "=", deletion.number).execute();
  return { rows: looked.length, isDone: looked.length < limit };
}

async function purgeSlice(context: QueryContext, deletion: Deletion, limit: number): Promise<Slice> {
  if (deletion.kind === "execution") return purgeMessages(context, deletion, limit);
  if (deletion.kind === "task") return purgeEvents(context, deletion, limit);
  const conversation = await purgeConversation(context, deletion, limit);
  if (!conversation.isDone) return conversation;
  // this takes as long as a slice
  if (await context.fullText.dropEmpty(context.db())) return { rows: limit, isDone: false };
  const events = await purgeEvents(context, deletion, limit - conversation.rows);
  return { rows: conversation.rows + events.rows, isDone: events.isDone };
}

export function readDeletions({ db }: QueryContext): Pick<StorageReader, "countDeletedMessages"> {
  return {
    async countDeletedMessages() {
      // two index lookups per attempt, not one per message
      const { rows } = await sql<{ count: number | null }>`
        SELECT sum(
          (SELECT max(position) FROM conversation_messages WHERE attempt_id = deletions.id) -
          (SELECT min(position) FROM conversation_messages WHERE attempt_id = deletions.id) + 1
        ) AS count FROM deletions WHERE kind = 'attempt'`.execute(db());
      return rows[0]?.count ?? 0;
    },
  };
}

export function writeDeletions(context: QueryContext): Pick<StorageTransaction, "purgeDeleted"> {
  const { db } = context;
  return {
    async purgeDeleted({ limit }) {
      for (let left = limit; left > 0; ) {
        const deletion = await db().selectFrom("deletions").selectAll().orderBy("number").limit(1).executeTakeFirst();
        if (deletion === undefined) return false;
        const { rows, isDone } = await purgeSlice(context, deletion, left);
        if (isDone) await db().deleteFrom("deletions").where("number", "=", deletion.number).execute();
        left -= rows + 1;
      }
      return true;
    },
  };
}
