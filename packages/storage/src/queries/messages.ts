import { type AttemptId, executionIdSchema, type MessageId, type StoredMessage, storedMessageSchema } from "@skein/contracts";
import { StorageConstraintError, type StorageReader, type StorageTransaction } from "@skein/engine";
import { type Selectable, sql } from "kysely";
import type { MessageTable } from "../database.ts";
import { parseJsonColumn, parseRow } from "../json-column.ts";
import { prepareQuery } from "../prepared-query.ts";
import type { QueryContext } from "../query-context.ts";
import { takeSlice } from "../take-slice.ts";
import { countByExecution } from "./count-messages.ts";

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

/** Position of a message in the order of its attempt. */
interface MessagePlace {
  id: string;
  execution_id: string;
  position: number;
}

const findPlace = prepareQuery((db, { attemptId, id }: { attemptId: AttemptId; id: MessageId }) =>
  db
    .selectFrom("messages")
    .innerJoin("executions", "executions.id", "messages.execution_id")
    .select(["messages.id", "execution_id", "position", "number"])
    .where("messages.id", "=", id)
    .where("messages.attempt_id", "=", attemptId),
);

const messageBytes = sql<number>`octet_length(body) + coalesce(octet_length(messages.usage), 0)`.as("bytes");

/** Positions in the same execution, at most `limit`: bodies of skipped rows are never read. */
const listPlacesAfter = prepareQuery((db, { execution_id, position, id, limit }: MessagePlace & { limit: number }) =>
  db
    .selectFrom("messages")
    .select(["id", "execution_id", "position", messageBytes])
    .where("execution_id", "=", execution_id)
    .where("position", ">=", position)
    .where((is) => is.or([is("position", ">", position), is("id", ">", id)]))
    .orderBy("position")
    .orderBy("id")
    .limit(limit),
);

const listPlacesOfLaterExecutions = prepareQuery((db, query: { attemptId: AttemptId; number: number; limit: number }) =>
  db
    .selectFrom("executions")
    .innerJoin("messages", "messages.execution_id", "executions.id")
    .select(["messages.id", "execution_id", "position", messageBytes])
    .where("executions.attempt_id", "=", query.attemptId)
    .where("executions.number", ">", query.number)
    .orderBy("executions.number")
    .orderBy("position")
    .orderBy("messages.id")
    .limit(query.limit),
);

const listRange = prepareQuery((db, { execution_id, first, last }: { execution_id: string; first: number; last: number }) =>
  db
    .selectFrom("messages")
    .selectAll()
    .where("execution_id", "=", execution_id)
    .where("position", ">=", first)
    .where("position", "<=", last)
    .orderBy("position")
    .orderBy("id"),
);

/**
 * The message at an index of `listMessages`, starting at 0. Skipped rows are counted in the index, from the nearer end of their
 * execution, and never read.
 */
async function findMessageAt(
  context: QueryContext,
  { attemptId, index }: { attemptId: AttemptId; index: number },
): Promise<MessageId | undefined> {
  let before = index;
  for (const { id, count } of await countByExecution(context, attemptId)) {
    if (before < count) return findMessageIn(context, { executionId: id, index: before, count });
    before -= count;
  }
  return undefined;
}

async function findMessageIn(
  { db }: QueryContext,
  { executionId, index, count }: { executionId: string; index: number; count: number },
): Promise<MessageId | undefined> {
  const ofExecution = db().selectFrom("messages").where("execution_id", "=", executionId);
  const isNearEnd = index > count / 2;
  const found = await ofExecution
    .select("position")
    .orderBy("position", isNearEnd ? "desc" : "asc")
    .limit(1)
    .offset(isNearEnd ? count - 1 - index : index)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const beyond = await ofExecution
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("position", isNearEnd ? ">" : "<", found.position)
    .executeTakeFirstOrThrow();
  // several messages may share a position: their ids order them
  const same = await ofExecution.select("id").where("position", "=", found.position).orderBy("id").execute();
  const first = isNearEnd ? count - beyond.count - same.length : beyond.count;
  return same[index - first]?.id as MessageId | undefined;
}

async function listNextPlaces(
  { db }: QueryContext,
  { attemptId, after, limit, maxBytes }: Parameters<StorageReader["listNextMessages"]>[0],
): Promise<MessagePlace[]> {
  const [from] = after === undefined ? [] : (await findPlace(db(), { attemptId, id: after })).rows;
  if (after !== undefined && from === undefined) throw new Error(`The message ${after} is not in the attempt ${attemptId}.`);
  const places = from === undefined ? [] : (await listPlacesAfter(db(), { ...from, limit })).rows;
  if (places.length < limit) {
    const rest = { attemptId, number: from?.number ?? 0, limit: limit - places.length };
    places.push(...(await listPlacesOfLaterExecutions(db(), rest)).rows);
  }
  return takeSlice(places, maxBytes);
}

export function readMessages(
  context: QueryContext,
): Pick<StorageReader, "listMessages" | "listNextMessages" | "countMessages" | "listMessagePlaces" | "findMessage"> {
  const { db } = context;
  const listNextMessages: StorageReader["listNextMessages"] = async (query) => {
    const messages: StoredMessage[] = [];
    for (const [execution_id, places] of Map.groupBy(await listNextPlaces(context, query), (place) => place.execution_id)) {
      const [first, last] = [places[0]?.position ?? 0, places.at(-1)?.position ?? 0];
      const wanted = new Set(places.map(({ id }) => id));
      const { rows } = await listRange(db(), { execution_id, first, last });
      for (const row of rows) if (wanted.has(row.id)) messages.push(toStoredMessage(row));
    }
    return messages;
  };
  return {
    listNextMessages,
    async findMessage({ id }) {
      const row = await db()
        .selectFrom("messages")
        .innerJoin("executions", "executions.id", "messages.execution_id")
        .selectAll("messages")
        .where("messages.id", "=", id)
        .executeTakeFirst();
      return row && toStoredMessage(row);
    },
    async countMessages({ attemptId }) {
      const rows = await countByExecution(context, attemptId);
      return rows.map(({ id, count }) => ({ executionId: executionIdSchema.parse(id), count }));
    },
    async listMessagePlaces({ executionId, from = 0, limit = Number.MAX_SAFE_INTEGER }) {
      const rows = await db()
        .selectFrom("executions")
        .innerJoin("messages", "messages.execution_id", "executions.id")
        .select(["messages.id", "messages.position"])
        .where("executions.id", "=", executionId)
        .where("messages.position", ">=", from)
        .orderBy("messages.position")
        .orderBy("messages.id")
        .limit(limit)
        .execute();
      return rows.map(({ id, position }) => ({ id: id as MessageId, position }));
    },
    async listMessages({ attemptId, offset = 0, limit = Number.MAX_SAFE_INTEGER }) {
      const after = offset === 0 ? undefined : await findMessageAt(context, { attemptId, index: offset - 1 });
      if (offset > 0 && after === undefined) return [];
      return listNextMessages({ attemptId, after, limit, maxBytes: Number.POSITIVE_INFINITY });
    },
  };
}

type MessageContent = Omit<MessageTable, "id" | "attempt_id">;

function toContentColumns({ execution_id, position, body, tokens, model, usage, created_at }: MessageContent): MessageContent {
  return { execution_id, position, body, tokens, model, usage, created_at };
}

/** No upsert: SQLite would copy every changed page per row, and most messages are new. */
const insertMessage = prepareQuery((db, row: MessageTable) =>
  db
    .insertInto("messages")
    .values({ id: row.id, attempt_id: row.attempt_id, ...toContentColumns(row) })
    .onConflict((known) => known.column("id").doNothing()),
);

const updateMessage = prepareQuery((db, row: MessageTable) =>
  db.updateTable("messages").set(toContentColumns(row)).where("id", "=", row.id).where("attempt_id", "=", row.attempt_id),
);

export function writeMessages({ db }: QueryContext): Pick<StorageTransaction, "putMessages"> {
  return {
    async putMessages(messages) {
      const rows = messages.map(toMessageRow);
      const inserted = await insertMessage.each(db(), rows);
      const known = rows.filter((_, index) => inserted[index]?.changes === 0);
      const updated = await updateMessage.each(db(), known);
      const refused = known.find((_, index) => updated[index]?.changes === 0);
      if (refused !== undefined) throw new StorageConstraintError(`Message ${refused.id} belongs to another attempt.`);
    },
  };
}
