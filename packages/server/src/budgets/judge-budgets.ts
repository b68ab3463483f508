import {
  type Budget,
  type BudgetMeasure,
  type BudgetScope,
  budgetMeasureSchema,
  type CallBound,
  type ReachedBudget,
} from "@skein/contracts";
import type { SpendingSum } from "@skein/engine";

/** A budget with what was used of it. */
export interface BudgetCheck {
  scope: BudgetScope;
  /** As in the settings: what “more” adds once. */
  base: Budget;
  /** With everything that was added; what is absent has no limit. */
  budget: Budget;
  spent: SpendingSum;
  /** Calls of models that are not over, with the most that each can use. */
  openCalls: readonly CallBound[];
}

/** `busy`: the calls in progress may use up a budget; ask again when one is over. */
export type BudgetVerdict = { type: "free" } | { type: "busy" } | { type: "reached"; reached: ReachedBudget };

/** Sums of prices are not exact. */
const tolerance = 1e-9;

/**
 * Whether a model may be called. A call starts only if all calls in progress, even at their most, leave something of each budget; if the
 * most of one is not known, only when no other is in progress. So a budget is exceeded by no more than one call.
 */
export function judgeBudgets(checks: readonly BudgetCheck[]): BudgetVerdict {
  let isBusy = false;
  for (const { scope, base, budget, spent, openCalls } of checks) {
    for (const measure of budgetMeasureSchema.options) {
      const limit = budget[measure];
      if (limit === undefined) continue;
      const used = toUsed(spent, measure);
      if (used >= limit - tolerance) {
        const isPartial = measure !== "minutes" && spent.isPartial;
        return {
          type: "reached",
          reached: { scope, measure, spent: used, limit, more: toMore(base[measure] ?? limit, { used, limit }), isPartial },
        };
      }
      if (measure === "minutes") continue;
      const reserved = openCalls.reduce((sum, call) => sum + (call[measure] ?? Number.POSITIVE_INFINITY), 0);
      if (used + reserved >= limit - tolerance && openCalls.length > 0) isBusy = true;
    }
  }
  return { type: isBusy ? "busy" : "free" };
}

/** In the unit of the measure. */
export function toUsed(spent: SpendingSum, measure: BudgetMeasure): number {
  if (measure === "costUsd") return spent.costUsd ?? 0;
  return measure === "tokens" ? spent.tokens : spent.ms / 60_000;
}

/** The budget once more, or as often as it takes to be above what was used. */
function toMore(base: number, { used, limit }: { used: number; limit: number }): number {
  return base * (Math.floor(Math.max(0, used - limit) / base + tolerance) + 1);
}
