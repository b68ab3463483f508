import type {
  Approval,
  Attempt,
  ConversationMessage,
  ConversationState,
  Execution,
  InboxItem,
  Project,
  PullRequestBadge,
  QueueState,
  Task,
} from "@skein/contracts";
import type { Selectable } from "kysely";
import { z } from "zod";
import type { EventTable } from "../database.ts";
import { parseJsonColumn, parseRow } from "../json-column.ts";
import type { QueryContext } from "../query-context.ts";
import { loadApprovals, readApprovals } from "./approvals.ts";
import { loadAttempts } from "./attempts.ts";
import { loadConversationMessages, readConversationMessages } from "./conversation-messages.ts";
import { loadExecutions, readExecutions } from "./executions.ts";
import { loadInboxItems } from "./inbox-items.ts";
import { loadProjects } from "./projects.ts";
import { loadPullRequestBadges } from "./pull-requests.ts";
import { readQueuedMessages } from "./queued-messages.ts";
import { loadTasks } from "./tasks.ts";

export type EventRow = Selectable<EventTable>;

/** The subjects of a batch of events in their current state. A missing one was deleted. */
export interface EventSubjects {
  projects: Map<string, Project>;
  tasks: Map<string, Task>;
  attempts: Map<string, Attempt>;
  executions: Map<string, Execution>;
  approvals: Map<string, Approval>;
  inboxItems: Map<string, InboxItem>;
  /** By attempt id. */
  pullRequests: Map<string, PullRequestBadge>;
  /** By `messageKey`. */
  messages: Map<string, ConversationMessage>;
  /** By attempt id. */
  queues: Map<string, QueueState>;
  /** By sequence number. */
  states: Map<number, ConversationState>;
}

const syncDataSchema = z.object({ canSendMessage: z.boolean(), messageCount: z.int().nonnegative() });

export function messageKey(row: Pick<EventRow, "attempt_id" | "message_id">): string {
  return `${row.attempt_id} ${row.message_id}`;
}

function idsOf(rows: readonly EventRow[], column: "project_id" | "task_id" | "attempt_id" | "execution_id" | "approval_id"): string[] {
  return [...new Set(rows.map((row) => row[column]))].filter((id) => id !== null);
}

async function loadMessages(context: QueryContext, rows: readonly EventRow[]): Promise<Map<string, ConversationMessage>> {
  const messages = new Map<string, ConversationMessage>();
  const idsByAttempt = new Map<string, Set<string>>();
  for (const { attempt_id, message_id } of rows) {
    if (attempt_id === null || message_id === null) continue;
    const ids = idsByAttempt.get(attempt_id) ?? new Set();
    idsByAttempt.set(attempt_id, ids.add(message_id));
  }
  for (const [attemptId, ids] of idsByAttempt) {
    const loaded = await loadConversationMessages(context, { attemptId, ids: [...ids] });
    for (const [id, message] of loaded) messages.set(messageKey({ attempt_id: attemptId, message_id: id }), message);
  }
  return messages;
}

async function loadState(context: QueryContext, row: EventRow, attempt: Attempt | undefined): Promise<ConversationState> {
  const { canSendMessage, messageCount } = parseRow(
    syncDataSchema,
    parseJsonColumn(row.data ?? "null", `event ${row.seq}`),
    `event ${row.seq}`,
  );
  if (!attempt) return { messages: [], isExecuting: false, canSendMessage, attemptId: null, queue: [], queuePause: null, approvals: [] };
  const attemptId = attempt.id;
  const { messages } = await readConversationMessages(context).listConversationMessages({ attemptId, limit: messageCount });
  const [currentExecution] = await readExecutions(context).listRunningExecutions({ attemptId });
  const queue = await readQueuedMessages(context).getQueue({ attemptId });
  const approvals = await readApprovals(context).listApprovals({ attemptId, status: "pending" });
  const execution = currentExecution ? { currentExecution } : {};
  return { messages, isExecuting: currentExecution !== undefined, ...execution, canSendMessage, attemptId, ...queue, approvals };
}

/** One query per kind of subject, not one per event. */
export async function loadEventSubjects(context: QueryContext, rows: readonly EventRow[]): Promise<EventSubjects> {
  const attempts = await loadAttempts(context, idsOf(rows, "attempt_id"));
  const queues = new Map<string, QueueState>();
  const states = new Map<number, ConversationState>();
  for (const row of rows) {
    const attempt = row.attempt_id === null ? undefined : attempts.get(row.attempt_id);
    if (row.type === "queue:changed" && attempt && !queues.has(attempt.id)) {
      queues.set(attempt.id, await readQueuedMessages(context).getQueue({ attemptId: attempt.id }));
    }
    if (row.type === "state:conversation-sync" && row.data !== null && (attempt || row.attempt_id === null)) {
      states.set(row.seq, await loadState(context, row, attempt));
    }
  }
  return {
    projects: await loadProjects(context, idsOf(rows, "project_id")),
    tasks: await loadTasks(context, idsOf(rows, "task_id")),
    attempts,
    executions: await loadExecutions(context, idsOf(rows, "execution_id")),
    approvals: await loadApprovals(context, idsOf(rows, "approval_id")),
    inboxItems: await loadInboxItems(
      context,
      [...new Set(rows.filter(({ type }) => type === "inbox:changed").map((row) => row.execution_id ?? row.attempt_id))].filter(
        (id) => id !== null,
      ),
    ),
    pullRequests: await loadPullRequestBadges(
      context,
      idsOf(
        rows.filter(({ type }) => type === "pull-request:changed"),
        "attempt_id",
      ),
    ),
    messages: await loadMessages(
      context,
      rows.filter(({ attempt_id }) => attempts.has(attempt_id ?? "")),
    ),
    queues,
    states,
  };
}
