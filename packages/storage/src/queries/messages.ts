import { executionIdSchema, type MessageId, type StoredMessage, storedMessageSchema } from "@skein/contracts";
import { StorageConstraintError, type StorageReader, type StorageTransaction } from "@skein/engine";
import type { Selectable } from "kysely";
import type { MessageTable } from "../database.ts";
import { parseJsonColumn, parseRow } from "../json-column.ts";
import { prepareQuery } from "../prepared-query.ts";
import type { QueryContext } from "../query-context.ts";

function toStoredMessage(row: Selectable<MessageTable>): StoredMessage {
  const name = `message ${row.id}`;
  const fields = {
    id: row.id,
    attemptId: row.attempt_id,
    executionId: row.execution_id,
    position: row.position,
    body: parseJsonColumn(row.body, name),
    ...(row.tokens === null ? {} : { tokens: row.tokens }),
    ...(row.model === null ? {} : { model: row.model }),
    ...(row.usage === null ? {} : { usage: parseJsonColumn(row.usage, name) }),
    createdAt: row.created_at,
  };
  return parseRow(storedMessageSchema, fields, name);
}

function toMessageRow(message: StoredMessage): MessageTable {
  return {
    id: message.id,
    attempt_id: message.attemptId,
    execution_id: message.executionId,
    position: message.position,
    body: JSON.stringify(message.body),
    tokens: message.tokens ?? null,
    model: message.model ?? null,
    usage: message.usage === undefined ? null : JSON.stringify(message.usage),
    created_at: message.createdAt,
  };
}

export function readMessages({
  db,
}: QueryContext): Pick<StorageReader, "listMessages" | "countMessages" | "listMessagePlaces" | "findMessage"> {
  return {
    async findMessage({ id }) {
      const row = await db().selectFrom("messages").selectAll().where("id", "=", id).executeTakeFirst();
      return row && toStoredMessage(row);
    },
    async countMessages({ attemptId }) {
      const rows = await db()
        .selectFrom("executions")
        .innerJoin("messages", "messages.execution_id", "executions.id")
        .select(({ fn }) => ["executions.id", fn.countAll<number>().as("count")])
        .where("executions.attempt_id", "=", attemptId)
        .groupBy("executions.number")
        .orderBy("executions.number")
        .execute();
      return rows.map(({ id, count }) => ({ executionId: executionIdSchema.parse(id), count: Number(count) }));
    },
    async listMessagePlaces({ executionId }) {
      const rows = await db()
        .selectFrom("messages")
        .select(["id", "position"])
        .where("execution_id", "=", executionId)
        .orderBy("position")
        .orderBy("id")
        .execute();
      return rows.map(({ id, position }) => ({ id: id as MessageId, position }));
    },
    async listMessages({ attemptId, offset, limit }) {
      let query = db()
        .selectFrom("executions")
        .innerJoin("messages", "messages.execution_id", "executions.id")
        .selectAll("messages")
        .where("executions.attempt_id", "=", attemptId)
        .orderBy("executions.number")
        .orderBy("messages.position")
        .orderBy("messages.id");
      // SQLite takes an offset only behind a limit; -1 is none
      if (limit !== undefined || offset !== undefined) query = query.limit(limit ?? -1).offset(offset ?? 0);
      return (await query.execute()).map(toStoredMessage);
    },
  };
}

const putMessage = prepareQuery((db, { id, attempt_id, execution_id, position, body, tokens, model, usage, created_at }: MessageTable) => {
  const content = { execution_id, position, body, tokens, model, usage, created_at };
  return db
    .insertInto("messages")
    .values({ id, attempt_id, ...content })
    .onConflict((known) => known.column("id").doUpdateSet(content).where("messages.attempt_id", "=", attempt_id));
});

export function writeMessages({ db }: QueryContext): Pick<StorageTransaction, "putMessages"> {
  return {
    async putMessages(messages) {
      for (const message of messages) {
        const { numAffectedRows } = await putMessage(db(), toMessageRow(message));
        if (numAffectedRows === 0n) throw new StorageConstraintError(`Message ${message.id} belongs to another attempt.`);
      }
    },
  };
}
