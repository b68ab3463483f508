import { type AttemptId, type ConversationMessage, conversationMessageSchema, type ExecutionId } from "@skein/contracts";
import type { StorageReader, StorageTransaction } from "@skein/engine";
import { type Kysely, sql } from "kysely";
import type { Database } from "../database.ts";
import { parseJsonColumn, parseRow } from "../json-column.ts";
import { prepareQuery } from "../prepared-query.ts";
import type { QueryContext } from "../query-context.ts";
import { takeSlice } from "../take-slice.ts";
import type { AppendEvents } from "./events.ts";
import { indexMessages } from "./index-messages.ts";

export function toConversationMessage(row: { id: string; body: string }): ConversationMessage {
  const name = `conversation message ${row.id}`;
  return parseRow(conversationMessageSchema, parseJsonColumn(row.body, name), name);
}

/** Keyed by id. */
export async function loadConversationMessages(
  { db }: QueryContext,
  { attemptId, ids }: { attemptId: string; ids: readonly string[] },
): Promise<Map<string, ConversationMessage>> {
  const rows = await db()
    .selectFrom("conversation_messages")
    .select(["id", "body"])
    .where("attempt_id", "=", attemptId)
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map((row) => [row.id, toConversationMessage(row)]));
}

/** Empty if the attempt was deleted: its messages are removed later. */
export function selectConversation(db: Kysely<Database>, attemptId: string) {
  return db
    .selectFrom("conversation_messages")
    .where("attempt_id", "=", attemptId)
    .where(({ exists, selectFrom }) => exists(selectFrom("attempts").select("attempts.id").where("attempts.id", "=", attemptId)));
}

const listPlacesAfter = prepareQuery((db, query: { attemptId: AttemptId; position: number; limit: number }) =>
  selectConversation(db, query.attemptId)
    .select(["position", sql<number>`octet_length(body)`.as("bytes")])
    .where("position", ">", query.position)
    .orderBy("position")
    .limit(query.limit),
);

const listRange = prepareQuery((db, { attemptId, first, last }: { attemptId: AttemptId; first: number; last: number }) =>
  db
    .selectFrom("conversation_messages")
    .select(["id", "body"])
    .where("attempt_id", "=", attemptId)
    .where("position", ">=", first)
    .where("position", "<=", last)
    .orderBy("position"),
);

export function readConversationMessages({
  db,
}: QueryContext): Pick<StorageReader, "listConversationMessages" | "listNextConversationMessages"> {
  return {
    async listNextConversationMessages({ attemptId, after, limit, maxBytes }) {
      const [from] = after === undefined ? [] : (await findKnown(db(), { attemptId, id: after })).rows;
      if (after !== undefined && from === undefined) {
        throw new Error(`The message ${after} is not in the conversation of the attempt ${attemptId}.`);
      }
      const places = (await listPlacesAfter(db(), { attemptId, position: from?.position ?? Number.MIN_SAFE_INTEGER, limit })).rows;
      const slice = takeSlice(places, maxBytes);
      const [first, last] = [slice[0]?.position, slice.at(-1)?.position];
      if (first === undefined || last === undefined) return [];
      return (await listRange(db(), { attemptId, first, last })).rows.map(toConversationMessage);
    },
    async listConversationMessages({ attemptId, before, from, limit }) {
      const ofAttempt = selectConversation(db(), attemptId);
      let page = ofAttempt.select(["id", "body"]);
      const start = from ?? before;
      if (start !== undefined) {
        const mark = await ofAttempt.select("position").where("id", "=", start).executeTakeFirst();
        if (!mark) return { messages: [], hasMore: false };
        page = page.where("position", from === undefined ? "<" : ">=", mark.position);
      }
      const rows = await page
        .orderBy("position", from === undefined ? "desc" : "asc")
        .limit(limit + 1)
        .execute();
      const shown = rows.slice(0, limit);
      if (from === undefined) shown.reverse();
      return { messages: shown.map(toConversationMessage), hasMore: rows.length > limit };
    },
  };
}

function toRunningTool(message: ConversationMessage): string | null {
  return message.messageType === "tool_execution" && message.metadata.state === "running" ? message.content : null;
}

function replacedIds(message: ConversationMessage): readonly string[] {
  return message.messageType === "tool_execution" ? (message.metadata.replaces ?? []).filter((id) => id !== message.id) : [];
}

/**
 * Removes the messages that a message replaces, and returns the position of the first. Events of the removed messages then refer to
 * their replacement, so that a client that catches up shows it at that position.
 */
async function takePlace(
  { db: open, fullText }: QueryContext,
  { attemptId, id, replaces }: { attemptId: AttemptId; id: string; replaces: readonly string[] },
): Promise<number | undefined> {
  const db = open();
  const replaced = await db
    .deleteFrom("conversation_messages")
    .where("attempt_id", "=", attemptId)
    .where("id", "in", replaces)
    .returning(["row_id", "position"])
    .execute();
  if (replaced.length === 0) return undefined;
  await fullText.remove(
    db,
    replaced.map((row) => row.row_id),
  );
  await db
    .updateTable("events")
    .set({ message_id: id })
    .where("task_id", "in", (attempt) => attempt.selectFrom("attempts").select("attempts.task_id").where("attempts.id", "=", attemptId))
    .where("attempt_id", "=", attemptId)
    .where("message_id", "in", replaces)
    .execute();
  return Math.min(...replaced.map((row) => row.position));
}

interface MessageKey {
  attemptId: AttemptId;
  id: string;
}

interface MessageContent {
  revision: number;
  timestamp: number;
  body: string;
  running_tool: string | null;
}

const findKnown = prepareQuery((db, { attemptId, id }: MessageKey) =>
  db
    .selectFrom("conversation_messages")
    .select(["row_id", "revision", "position"])
    .where("attempt_id", "=", attemptId)
    .where("id", "=", id),
);

const findLastPosition = prepareQuery((db, { attemptId }: Pick<MessageKey, "attemptId">) =>
  db
    .selectFrom("conversation_messages")
    .select((one) => one.fn.max("position").as("position"))
    .where("attempt_id", "=", attemptId),
);

const updateMessage = prepareQuery((db, message: MessageContent & { rowId: number; position: number }) =>
  db
    .updateTable("conversation_messages")
    .set({
      position: message.position,
      revision: message.revision,
      timestamp: message.timestamp,
      body: message.body,
      running_tool: message.running_tool,
    })
    .where("row_id", "=", message.rowId),
);

/** Without RETURNING, for the same reason as events. */
const insertMessage = prepareQuery(
  (db, message: MessageKey & MessageContent & { executionId: ExecutionId; position: number }) =>
    db.insertInto("conversation_messages").values({
      attempt_id: message.attemptId,
      execution_id: message.executionId,
      id: message.id,
      position: message.position,
      revision: message.revision,
      timestamp: message.timestamp,
      body: message.body,
      running_tool: message.running_tool,
    }),
  { generatedKey: "row_id" },
);

interface MessageOwner {
  attemptId: AttemptId;
  executionId: ExecutionId;
}

function toContent(message: ConversationMessage): MessageContent {
  const { revision, timestamp } = message;
  return { revision, timestamp, body: JSON.stringify(message), running_tool: toRunningTool(message) };
}

/** The position after the last message of an attempt. */
async function findNextPosition(db: Kysely<Database>, attemptId: AttemptId): Promise<number> {
  const [last] = (await findLastPosition(db, { attemptId })).rows;
  return (last?.position ?? 0) + 1;
}

/** Writes a message that replaces others. */
async function putReplacement(
  context: QueryContext,
  { attemptId, executionId }: MessageOwner,
  message: ConversationMessage,
): Promise<void> {
  const db = context.db();
  const { id } = message;
  const [known] = (await findKnown(db, { attemptId, id })).rows;
  if (known && known.revision >= message.revision) return;
  const place = await takePlace(context, { attemptId, id, replaces: replacedIds(message) });
  const content = toContent(message);
  if (known) {
    // Never moved back: a client that replays events finds it at its first position.
    await updateMessage(db, { rowId: known.row_id, position: Math.min(known.position, place ?? known.position), ...content });
    return indexMessages({ db: context.db(), fullText: context.fullText }, [{ rowId: known.row_id, message }]);
  }
  const position = place ?? (await findNextPosition(db, attemptId));
  const [inserted] = await insertMessage.each(db, [{ attemptId, executionId, id, position, ...content }]);
  if (inserted !== undefined)
    await indexMessages({ db: context.db(), fullText: context.fullText }, [{ rowId: inserted.insertId, message }]);
}

/** Writes messages that replace no other, each once. Their words are indexed last and together: see `insertMessage`. */
async function putPlain(
  context: QueryContext,
  { attemptId, executionId }: MessageOwner,
  messages: readonly ConversationMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  const db = context.db();
  const found = await findKnown.each(
    db,
    messages.map(({ id }) => ({ attemptId, id })),
  );
  const changed: { rowId: number; position: number; message: ConversationMessage }[] = [];
  const added: ConversationMessage[] = [];
  for (const [index, message] of messages.entries()) {
    const known = found[index]?.rows[0];
    if (known === undefined) added.push(message);
    // Reading a log again produces old revisions: they must not overwrite newer ones.
    else if (known.revision < message.revision) changed.push({ rowId: known.row_id, position: known.position, message });
  }
  await updateMessage.each(
    db,
    changed.map(({ rowId, position, message }) => ({ rowId, position, ...toContent(message) })),
  );
  const next = added.length === 0 ? 0 : await findNextPosition(db, attemptId);
  const inserted = await insertMessage.each(
    db,
    added.map((message, index) => ({ attemptId, executionId, id: message.id, position: next + index, ...toContent(message) })),
  );
  const rows = added.map((message, index) => ({ rowId: inserted[index]?.insertId ?? 0, message }));
  await indexMessages({ db: context.db(), fullText: context.fullText }, [...changed, ...rows]);
}

/** Writes messages in order. `written` is called right after a message was written, before another one replaces it. */
async function putMessages(
  context: QueryContext,
  owner: MessageOwner,
  messages: readonly ConversationMessage[],
  written: (messages: readonly ConversationMessage[]) => Promise<void>,
): Promise<void> {
  let plain = new Map<string, ConversationMessage>();
  const putPlainOnes = async () => {
    const waiting = [...plain.values()];
    plain = new Map();
    await putPlain(context, owner, waiting);
    await written(waiting);
  };
  for (const message of messages) {
    const isReplacement = replacedIds(message).length > 0;
    if (isReplacement || plain.has(message.id)) await putPlainOnes();
    if (!isReplacement) {
      plain.set(message.id, message);
      continue;
    }
    await putReplacement(context, owner, message);
    await written([message]);
  }
  await putPlainOnes();
}

export function writeConversationMessages(
  context: QueryContext,
  appendEvents: AppendEvents,
): Pick<StorageTransaction, "putConversationMessages" | "addConversationMessages"> {
  return {
    putConversationMessages: ({ messages, ...owner }) => putMessages(context, owner, messages, async () => {}),
    addConversationMessages: ({ taskId, at, messages, ...owner }) =>
      putMessages(context, owner, messages, (written) =>
        // an event is written right after its message, so that it is redirected if the message is replaced
        appendEvents(
          written.map((message) => ({ type: "message:added", taskId, attemptId: owner.attemptId, message })),
          at,
        ),
      ),
  };
}
