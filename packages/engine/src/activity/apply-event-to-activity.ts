import type {
  AttemptId,
  CheckBadge,
  ConversationMessage,
  Delivery,
  OpenAttempt,
  RunningExecution,
  SkeinEvent,
  TaskActivity,
} from "@skein/contracts";
import { type ActivityParts, createOpenAttempt, toTaskActivity } from "./task-activity.ts";
import { addExecution, toLastEnd } from "./totals.ts";

/**
 * Folds an event about the activity's own task into it; the caller selects those. Events that are already included are skipped by
 * sequence number. Events that arrive while the activity is being loaded are applied after it, in order. Returns undefined if an attempt
 * was deleted or events were left out: the activity must be reloaded.
 */
export function applyEventToActivity(activity: TaskActivity, { seq, event }: Delivery): TaskActivity | undefined {
  if (seq !== undefined && seq <= activity.seq) return activity;
  if (event.type === "state:conversation-sync") return undefined;
  const changes = toChanges(activity, event);
  if (changes === undefined && seq === undefined) return activity;
  const { attemptId, agent, attempts, open, pullRequests, checks = [], lastEnd, totals } = activity;
  const active = attemptId === null || agent === null ? null : { attemptId, agent };
  return toTaskActivity({ active, attempts, open, pullRequests, checks, lastEnd, totals, ...changes, seq: seq ?? activity.seq });
}

function toChanges(activity: TaskActivity, event: SkeinEvent): Partial<ActivityParts> | undefined {
  switch (event.type) {
    case "task:attempt-created":
      return {
        attempts: activity.attempts + 1,
        ...(event.attempt.active ? { active: { attemptId: event.attempt.id, agent: event.attempt.agent } } : {}),
        ...(event.attempt.raceId === undefined
          ? {}
          : changeCheck(activity, event.attempt.id, { raceId: event.attempt.raceId, state: null })),
      };
    case "task:attempt-updated": {
      const { updates } = event;
      const agent = updates.agent ?? activity.agent;
      if (updates.active === true && agent !== null) return { active: { attemptId: event.attemptId, agent } };
      if (updates.archived !== undefined) return changeArchived(activity, event.attemptId, updates);
      return updates.check === undefined ? undefined : changeCheck(activity, event.attemptId, { state: updates.check.state });
    }
    case "execution:started":
      // An event that is replayed after the end carries the execution's current state.
      return event.execution.status === "running" ? start(activity, event.attemptId, event.execution) : undefined;
    case "execution:changed": {
      const { execution } = event;
      if (execution.status !== "running") return undefined;
      return changeOpen(activity, event.attemptId, ({ executionId }) => (executionId === execution.id ? { wait: execution.wait } : {}));
    }
    case "execution:completed": {
      if (event.execution.status === "running") return undefined;
      const ended = changeOpen(activity, event.attemptId, ({ executionId }) =>
        executionId === event.executionId ? { executionId: null, startedAt: null, tools: [], wait: undefined } : {},
      );
      return { ...ended, totals: addExecution(activity.totals, event.execution), lastEnd: toLastEnd(activity.lastEnd, event.execution) };
    }
    case "message:added":
      return changeTools(activity, event.attemptId, event.message);
    case "approval:requested":
    case "approval:resolved": {
      const { id, status } = event.approval;
      return changeOpen(activity, event.attemptId, ({ approvals }) => {
        const others = approvals.filter((other) => other !== id);
        return { approvals: status === "pending" ? [...others, id] : others };
      });
    }
    case "queue:changed":
      return changeOpen(activity, event.attemptId, () => ({ queued: event.queue.length, queuePaused: event.queuePause !== null }));
    case "pull-request:changed": {
      const others = activity.pullRequests.filter(({ attemptId }) => attemptId !== event.attemptId);
      return { pullRequests: [...others, event.pullRequest] };
    }
    default:
      return undefined;
  }
}

function changeCheck(
  { checks = [] }: TaskActivity,
  attemptId: AttemptId,
  change: Partial<Omit<CheckBadge, "attemptId">>,
): Pick<ActivityParts, "checks"> {
  const known = checks.find((one) => one.attemptId === attemptId) ?? { attemptId, state: null };
  return { checks: [...checks.filter((one) => one !== known), { ...known, ...change }] };
}

/** The event of a restored attempt has its check and its race, if it has them. */
function changeArchived(
  activity: TaskActivity,
  attemptId: AttemptId,
  { archived, raceId, check }: Extract<SkeinEvent, { type: "task:attempt-updated" }>["updates"],
) {
  const { checks = [] } = activity;
  if (archived === true) return { checks: checks.filter((one) => one.attemptId !== attemptId) };
  if (raceId === undefined && check === undefined) return undefined;
  return changeCheck(activity, attemptId, { state: check?.state ?? null, ...(raceId === undefined ? {} : { raceId }) });
}

function start(activity: TaskActivity, attemptId: AttemptId, { id, startedAt, wait }: RunningExecution): Pick<ActivityParts, "open"> {
  return changeOpen(activity, attemptId, () => ({ executionId: id, startedAt, tools: [], wait }));
}

function changeTools(activity: TaskActivity, attemptId: AttemptId, message: ConversationMessage): Partial<ActivityParts> | undefined {
  if (message.messageType !== "tool_execution") return undefined;
  const { state, summary, executionId } = message.metadata;
  const open = activity.open.find((one) => one.attemptId === attemptId);
  // cards of an ended execution are no longer running, whatever their state
  if (open?.executionId === undefined || open.executionId === null || (executionId ?? open.executionId) !== open.executionId)
    return undefined;
  const isKnown = open.tools.some(({ messageId }) => messageId === message.id);
  const entry = { messageId: message.id, content: message.content, summary };
  if (state !== "running") {
    if (!isKnown) return undefined;
    return changeOpen(activity, attemptId, ({ tools }) => ({ tools: tools.filter(({ messageId }) => messageId !== message.id) }));
  }
  return changeOpen(activity, attemptId, ({ tools }) => ({
    tools: isKnown ? tools.map((tool) => (tool.messageId === message.id ? entry : tool)) : [...tools, entry],
  }));
}

/** `wait: undefined` removes it. */
type OpenChange = Partial<Omit<OpenAttempt, "wait">> & { wait?: OpenAttempt["wait"] | undefined };

function changeOpen({ open }: TaskActivity, attemptId: AttemptId, change: (known: OpenAttempt) => OpenChange): Pick<ActivityParts, "open"> {
  const known = open.find((one) => one.attemptId === attemptId) ?? createOpenAttempt(attemptId);
  const { wait, ...changed } = { ...known, ...change(known) };
  return { open: [...open.filter((one) => one !== known), { ...changed, ...(wait === undefined ? {} : { wait }) }] };
}
