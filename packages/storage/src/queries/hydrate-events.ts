import {
  type Attempt,
  attemptSchema,
  projectIdSchema,
  type SequencedEvent,
  type SkeinEvent,
  taskIdSchema,
  taskStatusSchema,
  userIdSchema,
} from "@skein/contracts";
import { z } from "zod";
import { parseJsonColumn, parseRow, UnreadableRowError } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";
import { type EventRow, type EventSubjects, loadEventSubjects, messageKey } from "./event-subjects.ts";

const statusChangeSchema = z.object({ previousStatus: taskStatusSchema, newStatus: taskStatusSchema });
const accessChangeSchema = z.object({ userId: userIdSchema });
const updatedFieldsSchema = z.object({ fields: z.array(attemptSchema.keyof()) });

function parseData<Schema extends z.ZodType>(schema: Schema, row: EventRow): z.output<Schema> {
  return parseRow(schema, parseJsonColumn(row.data ?? "null", `event ${row.seq}`), `event ${row.seq}`);
}

function pickUpdates(attempt: Attempt, row: EventRow): Partial<Attempt> {
  const { fields } = parseData(updatedFieldsSchema, row);
  return Object.fromEntries(fields.map((field) => [field, attempt[field]]));
}

/** Undefined if its subject was deleted. */
function toEvent(row: EventRow, subjects: EventSubjects): SkeinEvent | undefined {
  const project = subjects.projects.get(row.project_id ?? "");
  const task = subjects.tasks.get(row.task_id ?? "");
  const attempt = subjects.attempts.get(row.attempt_id ?? "");
  const ofAttempt = attempt && { taskId: attempt.taskId, attemptId: attempt.id };
  switch (row.type) {
    case "execution:started":
    case "execution:changed": {
      const execution = subjects.executions.get(row.execution_id ?? "");
      return ofAttempt && execution && { type: row.type, ...ofAttempt, executionId: execution.id, execution };
    }
    case "execution:completed": {
      const execution = subjects.executions.get(row.execution_id ?? "");
      if (!ofAttempt || !execution || execution.status === "running") return undefined;
      return { type: row.type, ...ofAttempt, executionId: execution.id, status: execution.status, execution };
    }
    case "message:added": {
      const message = subjects.messages.get(messageKey(row));
      return ofAttempt && message && { type: row.type, ...ofAttempt, message };
    }
    case "state:conversation-sync": {
      if (row.data === null) return task && { type: row.type, taskId: task.id };
      const state = subjects.states.get(row.seq);
      return task && state && { type: row.type, taskId: task.id, state };
    }
    case "task:status-changed":
      return task && { type: row.type, taskId: task.id, ...parseData(statusChangeSchema, row), task };
    case "task:attempt-created":
      return attempt && { type: row.type, taskId: attempt.taskId, attempt };
    case "task:attempt-updated":
      return ofAttempt && attempt && { type: row.type, ...ofAttempt, updates: pickUpdates(attempt, row) };
    case "approval:requested":
    case "approval:resolved": {
      const approval = subjects.approvals.get(row.approval_id ?? "");
      return ofAttempt && approval && { type: row.type, ...ofAttempt, approval };
    }
    case "inbox:changed": {
      const item = subjects.inboxItems.get(row.execution_id ?? row.attempt_id ?? "");
      return ofAttempt && item && { type: row.type, ...ofAttempt, item };
    }
    case "queue:changed":
      return (
        ofAttempt && { type: row.type, ...ofAttempt, ...(subjects.queues.get(ofAttempt.attemptId) ?? { queue: [], queuePause: null }) }
      );
    case "pull-request:changed": {
      const pullRequest = subjects.pullRequests.get(row.attempt_id ?? "");
      return ofAttempt && pullRequest && { type: row.type, ...ofAttempt, pullRequest };
    }
    case "review:changed":
    case "git:changed":
      return ofAttempt && { type: row.type, ...ofAttempt };
    case "task:created":
    case "task:updated":
      return task && { type: row.type, taskId: task.id, task };
    case "task:deleted": {
      const name = `event ${row.seq}`;
      const taskId = parseRow(taskIdSchema, row.task_id, name);
      return { type: row.type, taskId, projectId: parseRow(projectIdSchema, row.project_id, name) };
    }
    case "access:changed":
      return { type: row.type, ...parseData(accessChangeSchema, row) };
    case "project:created":
    case "project:updated":
      return project && { type: row.type, projectId: project.id, project };
    case "project:deleted":
      return { type: row.type, projectId: parseRow(projectIdSchema, row.project_id, `event ${row.seq}`) };
    default:
      throw new UnreadableRowError(`The stored event ${row.seq} is of a type that this version of Skein does not know: ${row.type}`);
  }
}

export async function hydrateEvents(context: QueryContext, rows: readonly EventRow[]): Promise<SequencedEvent[]> {
  const subjects = await loadEventSubjects(context, rows);
  const events: SequencedEvent[] = [];
  for (const row of rows) {
    const event = toEvent(row, subjects);
    if (event) events.push({ seq: row.seq, at: row.at, event });
  }
  return events;
}
