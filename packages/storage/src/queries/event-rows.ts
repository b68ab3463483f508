import type { SkeinEvent } from "@skein/contracts";
import type { Insertable, Kysely } from "kysely";
import type { Database, EventTable } from "../database.ts";

export type EventRow = Omit<Insertable<EventTable>, "seq">;

type EventSubject = Partial<Omit<EventRow, "type" | "at">>;

/** `data` has only what cannot be joined; the subject of an event is read from its table when it is listed. */
function toEventSubject(event: SkeinEvent): EventSubject {
  switch (event.type) {
    case "execution:started":
    case "execution:changed":
    case "execution:completed":
      return { task_id: event.taskId, attempt_id: event.attemptId, execution_id: event.executionId };
    case "inbox:changed":
      // without an execution it is the item of the attempt's pull request
      return { task_id: event.taskId, attempt_id: event.attemptId, execution_id: event.item.kind === "ended" ? event.item.id : null };
    case "message:added":
      return { task_id: event.taskId, attempt_id: event.attemptId, message_id: event.message.id, revision: event.message.revision };
    case "state:conversation-sync": {
      if (event.state === undefined) return { task_id: event.taskId };
      const { attemptId, canSendMessage, messages } = event.state;
      return { task_id: event.taskId, attempt_id: attemptId, data: JSON.stringify({ canSendMessage, messageCount: messages.length }) };
    }
    case "task:status-changed":
      return { task_id: event.taskId, data: JSON.stringify({ previousStatus: event.previousStatus, newStatus: event.newStatus }) };
    case "task:attempt-created":
      return { task_id: event.taskId, attempt_id: event.attempt.id };
    case "task:attempt-updated":
      return { task_id: event.taskId, attempt_id: event.attemptId, data: JSON.stringify({ fields: Object.keys(event.updates) }) };
    case "approval:requested":
    case "approval:resolved":
      return { task_id: event.taskId, attempt_id: event.attemptId, approval_id: event.approval.id };
    case "pull-request:changed":
    case "queue:changed":
    case "review:changed":
    case "git:changed":
      return { task_id: event.taskId, attempt_id: event.attemptId };
    case "task:created":
    case "task:updated":
      return { task_id: event.taskId };
    case "task:deleted":
      return { task_id: event.taskId, project_id: event.projectId };
    case "access:changed":
      return { data: JSON.stringify({ userId: event.userId }) };
    case "project:created":
    case "project:updated":
    case "project:deleted":
      return { project_id: event.projectId };
  }
}

/** Writes every column, so that all events share one prepared query. */
export function toEventRow(event: SkeinEvent, at: number): EventRow {
  return {
    type: event.type,
    project_id: null,
    task_id: null,
    attempt_id: null,
    execution_id: null,
    message_id: null,
    approval_id: null,
    revision: null,
    data: null,
    at,
    ...toEventSubject(event),
  };
}

/** Events that are kept after their subject was deleted. */
export const eventsOfDeletions: readonly string[] = ["task:deleted", "project:deleted"] satisfies SkeinEvent["type"][];

/** Removes the events of a project that is about to be deleted, except the newest event of all: see `purgeDeleted`. */
export async function forgetProjectEvents(db: Kysely<Database>, projectId: string): Promise<void> {
  await db
    .deleteFrom("events")
    .where("project_id", "=", projectId)
    .where("type", "not in", eventsOfDeletions)
    .where("seq", "<", (newest) => newest.selectFrom("events as newest").select((one) => one.fn.max("newest.seq").as("seq")))
    .execute();
}
