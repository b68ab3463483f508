import type { EndedExecution, LastEnd, Totals, Usage } from "@skein/contracts";

export const noTotals: Totals = { executions: 0, durationMs: 0, usage: {} };

export function addExecution(totals: Totals, { durationMs, usage }: EndedExecution): Totals {
  return { executions: totals.executions + 1, durationMs: totals.durationMs + durationMs, usage: addUsage(totals.usage, usage) };
}

/** What neither reported stays unknown. */
function addUsage(one: Usage, other: Usage): Usage {
  const sum: Usage = { ...one };
  for (const [field, value] of Object.entries(other) as [keyof Usage, number | undefined][]) {
    if (value !== undefined) sum[field] = (sum[field] ?? 0) + value;
  }
  return sum;
}

/** Executions of several attempts end in any order: the later end counts, whichever was told first. */
export function toLastEnd(known: LastEnd | null, { id: executionId, status, endedAt }: EndedExecution): LastEnd {
  const isLater = known === null || endedAt > known.endedAt || (endedAt === known.endedAt && executionId > known.executionId);
  return isLater ? { executionId, status, endedAt } : known;
}
