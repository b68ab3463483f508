import type { Attempt, AttemptSummary, LastEnd, OpenAttempt, TaskActivity, Totals } from "@skein/contracts";

/** Lists come with totals; the answer to a change, and an event, carry the attempt alone. */
export type KnownAttempt = Attempt & Partial<Pick<AttemptSummary, "totals" | "lastEnd">>;

/** `held`: its agent waits to be started; `waiting`: for the user. */
export type AttemptState = "running" | "held" | "waiting" | "new" | LastEnd["status"];

export interface AttemptFacts {
  state: AttemptState;
  totals: Totals | null;
}

export function toAttemptFacts(attempt: KnownAttempt, activity: TaskActivity | undefined): AttemptFacts {
  const open = activity?.open.find(({ attemptId }) => attemptId === attempt.id);
  return { state: toOpenState(open) ?? attempt.lastEnd?.status ?? "new", totals: attempt.totals ?? null };
}

/** Undefined if nothing runs. */
function toOpenState(open: OpenAttempt | undefined): AttemptState | undefined {
  if (open === undefined || open.executionId === null) return undefined;
  if (open.approvals.length > 0) return "waiting";
  return open.wait === undefined ? "running" : "held";
}
