import type { Attempt, AttemptSummary, LastEnd, TaskActivity, Totals } from "@skein/contracts";

/** Lists come with totals; the answer to a change, and an event, carry the attempt alone. */
export type KnownAttempt = Attempt & Partial<Pick<AttemptSummary, "totals" | "lastEnd">>;

export type AttemptState = "running" | "waiting" | "new" | LastEnd["status"];

export interface AttemptFacts {
  state: AttemptState;
  totals: Totals | null;
}

export function toAttemptFacts(attempt: KnownAttempt, activity: TaskActivity | undefined): AttemptFacts {
  const open = activity?.open.find(({ attemptId }) => attemptId === attempt.id);
  const isRunning = open !== undefined && open.executionId !== null;
  const ended = attempt.lastEnd?.status ?? "new";
  return { state: isRunning ? (open.approvals.length > 0 ? "waiting" : "running") : ended, totals: attempt.totals ?? null };
}
