import { type AttemptId, type ConversationMessage, conversationMessageSchema, type ExecutionId } from "@skein/contracts";
import type { StorageReader, StorageTransaction } from "@skein/engine";
import type { Kysely } from "kysely";
import type { Database } from "../database.ts";
import { parseJsonColumn, parseRow } from "../json-column.ts";
import { prepareQuery } from "../prepared-query.ts";
import type { QueryContext } from "../query-context.ts";
import { toSearchText } from "../search/search-text.ts";

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

export function readConversationMessages({ db }: QueryContext): Pick<StorageReader, "listConversationMessages"> {
  return {
    async listConversationMessages({ attemptId, before, from, limit }) {
      const ofAttempt = db().selectFrom("conversation_messages").where("attempt_id", "=", attemptId);
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
 * Removes what a message replaces and returns the place of the first. Events of the removed then tell of the message
 * that took their place, so that a client that catches up shows it there too.
 */
async function takePlace(
  db: Kysely<Database>,
  { attemptId, id, replaces }: { attemptId: AttemptId; id: string; replaces: readonly string[] },
): Promise<number | undefined> {
  const replaced = await db
    .deleteFrom("conversation_messages")
    .where("attempt_id", "=", attemptId)
    .where("id", "in", replaces)
    .returning("position")
    .execute();
  if (replaced.length === 0) return undefined;
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

const insertMessage = prepareQuery((db, message: MessageKey & MessageContent & { executionId: ExecutionId; position: number }) =>
  db
    .insertInto("conversation_messages")
    .values({
      attempt_id: message.attemptId,
      execution_id: message.executionId,
      id: message.id,
      position: message.position,
      revision: message.revision,
      timestamp: message.timestamp,
      body: message.body,
      running_tool: message.running_tool,
    })
    .returning("row_id"),
);

async function putConversationMessage(
  { db, fullText }: QueryContext,
  { attemptId, executionId, message }: { attemptId: AttemptId; executionId: ExecutionId; message: ConversationMessage },
): Promise<void> {
  const { id } = message;
  const [known] = (await findKnown(db(), { attemptId, id })).rows;
  // A log that is read again brings old revisions: they must not undo what is newer.
  if (known && known.revision >= message.revision) return;

  const replaces = replacedIds(message);
  const place = replaces.length === 0 ? undefined : await takePlace(db(), { attemptId, id, replaces });
  const content: MessageContent = {
    revision: message.revision,
    timestamp: message.timestamp,
    body: JSON.stringify(message),
    running_tool: toRunningTool(message),
  };

  let rowId = known?.row_id;
  if (known) {
    // Never later than it was: a client that replays the events meets it at its first place.
    await updateMessage(db(), { rowId: known.row_id, position: Math.min(known.position, place ?? known.position), ...content });
  } else {
    const [last] = place === undefined ? (await findLastPosition(db(), { attemptId })).rows : [];
    const position = place ?? (last?.position ?? 0) + 1;
    const [inserted] = (await insertMessage(db(), { attemptId, executionId, id, position, ...content })).rows;
    rowId = inserted?.row_id;
  }

  const text = toSearchText(message);
  if (text !== undefined && rowId !== undefined) await fullText.put(db(), { rowId, text });
}

export function writeConversationMessages(context: QueryContext): Pick<StorageTransaction, "putConversationMessages"> {
  return {
    async putConversationMessages({ attemptId, executionId, messages }) {
      for (const message of messages) await putConversationMessage(context, { attemptId, executionId, message });
    },
  };
}
