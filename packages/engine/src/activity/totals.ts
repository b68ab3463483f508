import type { EndedExecution, LastEnd, Totals } from "@skein/contracts";
import { addUsage } from "../tokens/add-usage.ts";

/** The totals of no executions. */
export const noTotals: Totals = { executions: 0, durationMs: 0, usage: {} };

/** Adds an ended execution to the totals of its attempt. */
export function addExecution(totals: Totals, { durationMs, usage }: EndedExecution): Totals {
  return { executions: totals.executions + 1, durationMs: totals.durationMs + durationMs, usage: addUsage(totals.usage, usage) };
}

/** Executions of several attempts end in any order: the later end counts, whichever was reported first. */
export function toLastEnd(known: LastEnd | null, { id: executionId, status, endedAt }: EndedExecution): LastEnd {
  const isLater = known === null || endedAt > known.endedAt || (endedAt === known.endedAt && executionId > known.executionId);
  return isLater ? { executionId, status, endedAt } : known;
}
