import { type QueuedMessage, queuedMessageSchema, queuePauseSchema } from "@skein/contracts";
import type { StorageReader, StorageTransaction } from "@skein/engine";
import type { Selectable } from "kysely";
import type { QueuedMessageTable } from "../database.ts";
import { parseJsonColumn, parseRow } from "../json-column.ts";
import { expectUpdated } from "../missing-row.ts";
import type { QueryContext } from "../query-context.ts";
import { fromActorColumn, toActorColumn } from "./actor-column.ts";

function toQueuedMessage(row: Selectable<QueuedMessageTable>): QueuedMessage {
  const name = `queued message ${row.id}`;
  const { id, task_id: taskId, attempt_id: attemptId, message, created_at: createdAt } = row;
  return parseRow(
    queuedMessageSchema,
    {
      id,
      taskId,
      attemptId,
      message,
      images: parseJsonColumn(row.images, name),
      steer: row.steer === 1,
      ...fromActorColumn(row.sent_by, name),
      createdAt,
    },
    name,
  );
}

export function readQueuedMessages({ db }: QueryContext): Pick<StorageReader, "listQueuedMessages" | "findQueuedMessage" | "getQueue"> {
  const listQueuedMessages: StorageReader["listQueuedMessages"] = async ({ attemptId }) => {
    const rows = await db().selectFrom("queued_messages").selectAll().where("attempt_id", "=", attemptId).orderBy("position").execute();
    return rows.map(toQueuedMessage);
  };
  return {
    listQueuedMessages,
    async findQueuedMessage({ id }) {
      const row = await db().selectFrom("queued_messages").selectAll().where("id", "=", id).executeTakeFirst();
      return row && toQueuedMessage(row);
    },
    async getQueue({ attemptId }) {
      const row = await db().selectFrom("queue_pauses").selectAll().where("attempt_id", "=", attemptId).executeTakeFirst();
      const pause = row && parseRow(queuePauseSchema, { reason: row.reason, pausedAt: row.paused_at }, `queue of attempt ${attemptId}`);
      return { queue: await listQueuedMessages({ attemptId }), queuePause: pause ?? null };
    },
  };
}

export function writeQueuedMessages({
  db,
}: QueryContext): Pick<
  StorageTransaction,
  "insertQueuedMessage" | "updateQueuedMessage" | "moveQueuedMessage" | "deleteQueuedMessage" | "setQueuePause"
> {
  return {
    async setQueuePause({ attemptId, pause }) {
      await db().deleteFrom("queue_pauses").where("attempt_id", "=", attemptId).execute();
      if (pause === null) return;
      const { reason, pausedAt } = pause;
      await db().insertInto("queue_pauses").values({ attempt_id: attemptId, reason, paused_at: pausedAt }).execute();
    },
    async insertQueuedMessage({ id, taskId, attemptId, message, images, steer, by, createdAt }) {
      // Two messages may have the same time: the position decides which came first.
      const last = await db()
        .selectFrom("queued_messages")
        .select((one) => one.fn.max("position").as("position"))
        .where("attempt_id", "=", attemptId)
        .executeTakeFirst();
      const position = (last?.position ?? 0) + 1;
      const content = { message, images: JSON.stringify(images), steer: steer ? 1 : 0, sent_by: toActorColumn(by), created_at: createdAt };
      await db()
        .insertInto("queued_messages")
        .values({ id, task_id: taskId, attempt_id: attemptId, position, ...content })
        .execute();
    },
    async updateQueuedMessage({ id, message, images, steer }) {
      const changes = { message, images: JSON.stringify(images), steer: steer ? 1 : 0 };
      expectUpdated(await db().updateTable("queued_messages").set(changes).where("id", "=", id).executeTakeFirst(), `queued message ${id}`);
    },
    async moveQueuedMessage({ id, before }) {
      const moved = await db().selectFrom("queued_messages").select("attempt_id").where("id", "=", id).executeTakeFirst();
      if (!moved || id === before) return;
      const rows = await db()
        .selectFrom("queued_messages")
        .select(["id", "position"])
        .where("attempt_id", "=", moved.attempt_id)
        .orderBy("position")
        .execute();
      const order = rows.map((row) => row.id).filter((other) => other !== id);
      const place = before === null ? -1 : order.indexOf(before);
      order.splice(place === -1 ? order.length : place, 0, id);
      // Numbers above all in use: no two rows ever have the same one.
      const first = (rows.at(-1)?.position ?? 0) + 1;
      for (const [index, other] of order.entries())
        await db()
          .updateTable("queued_messages")
          .set({ position: first + index })
          .where("id", "=", other)
          .execute();
    },
    async deleteQueuedMessage({ id }) {
      const result = await db().deleteFrom("queued_messages").where("id", "=", id).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
  };
}
