import type { AgentId, AttemptId, CheckBadge, LastEnd, OpenAttempt, PullRequestBadge, TaskActivity, Totals } from "@skein/contracts";

/** The input of `toTaskActivity`. */
export interface ActivityParts {
  seq: number;
  active: { attemptId: AttemptId; agent: AgentId } | null;
  attempts: number;
  open: readonly OpenAttempt[];
  pullRequests: readonly PullRequestBadge[];
  checks: readonly CheckBadge[];
  lastEnd: LastEnd | null;
  totals: Totals;
}

/** The only place that computes the sums, so that loaded and folded activity cannot differ. */
export function toTaskActivity({ seq, active, attempts, open, pullRequests, checks, lastEnd, totals }: ActivityParts): TaskActivity {
  const going = open.filter(isOpen).toSorted((a, b) => (a.attemptId < b.attemptId ? -1 : 1));
  const newest = going.filter(({ tools }) => tools.length > 0).toSorted((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0));
  const runningTool = newest.at(-1)?.tools.at(-1);
  return {
    seq,
    attemptId: active?.attemptId ?? null,
    agent: active?.agent ?? null,
    attempts,
    executing: going.some(({ executionId }) => executionId !== null),
    ...(runningTool === undefined ? {} : { runningTool: runningTool.content, runningToolSummary: runningTool.summary }),
    pendingApprovals: going.reduce((sum, { approvals }) => sum + approvals.length, 0),
    queued: going.reduce((sum, { queued }) => sum + queued, 0),
    queuePaused: going.some(({ queuePaused }) => queuePaused),
    open: going,
    pullRequests: pullRequests.toSorted((a, b) => (a.attemptId < b.attemptId ? -1 : 1)),
    ...(checks.length === 0 ? {} : { checks: checks.toSorted((a, b) => (a.attemptId < b.attemptId ? -1 : 1)) }),
    lastEnd,
    totals,
  };
}

/** An attempt in which nothing runs or waits. */
export function createOpenAttempt(attemptId: AttemptId): OpenAttempt {
  return { attemptId, executionId: null, startedAt: null, tools: [], approvals: [], queued: 0, queuePaused: false };
}

function isOpen({ executionId, approvals, queued }: OpenAttempt): boolean {
  return executionId !== null || approvals.length > 0 || queued > 0;
}
