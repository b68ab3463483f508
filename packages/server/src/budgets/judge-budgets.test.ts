import type { CallBound } from "@skein/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type BudgetCheck, judgeBudgets } from "./judge-budgets.ts";

const check = (changes: Partial<BudgetCheck> & { costUsd?: number | null; openCalls?: CallBound[] }): BudgetCheck => {
  const { costUsd = 0, ...rest } = changes;
  return {
    scope: "task",
    base: { costUsd: 5 },
    budget: { costUsd: 5 },
    spent: { costUsd, tokens: 0, ms: 0, isPartial: false },
    openCalls: [],
    ...rest,
  };
};

test("[L2] a budget that is used up is reported with what more would add: at least enough to continue", () => {
  expect(judgeBudgets([check({ costUsd: 5.02 })])).toEqual({
    type: "reached",
    reached: { scope: "task", measure: "costUsd", spent: 5.02, limit: 5, more: 5, isPartial: false },
  });
  expect(judgeBudgets([check({ costUsd: 12 })])).toMatchObject({ reached: { more: 10 } });
  expect(judgeBudgets([check({ costUsd: 4.99 })])).toEqual({ type: "free" });
  expect(judgeBudgets([check({ costUsd: null })])).toEqual({ type: "free" });
  const spent = { costUsd: 1, tokens: 900, ms: 120_000, isPartial: true };
  expect(judgeBudgets([check({ spent, budget: { tokens: 900 }, base: { tokens: 500 } })])).toMatchObject({
    reached: { measure: "tokens", spent: 900, limit: 900, more: 500, isPartial: true },
  });
  expect(judgeBudgets([check({ spent, budget: { minutes: 2 }, base: { minutes: 2 } })])).toMatchObject({
    reached: { measure: "minutes", spent: 2, isPartial: false },
  });
});

test("[L2] calls in progress count at their most; one whose most is not known lets no other start", () => {
  expect(judgeBudgets([check({ costUsd: 3, openCalls: [{ costUsd: 1 }] })])).toEqual({ type: "free" });
  expect(judgeBudgets([check({ costUsd: 3, openCalls: [{ costUsd: 1 }, { costUsd: 1 }] })])).toEqual({ type: "busy" });
  expect(judgeBudgets([check({ costUsd: 0, openCalls: [{}] })])).toEqual({ type: "busy" });
  expect(judgeBudgets([check({ costUsd: 0, openCalls: [{ costUsd: 0, tokens: 100_000 }] })])).toEqual({ type: "free" });
});

/** A model of many agents that share budgets: each asks, calls a model for an unknown price below its most, and asks again. */
test("[L2, Q22] however calls of many agents overlap, no budget is exceeded by more than one call", () => {
  const arbitraryCall = fc.record({ cost: fc.integer({ min: 0, max: 300 }), slack: fc.option(fc.integer({ min: 0, max: 200 })) });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1000 }),
      fc.array(arbitraryCall, { minLength: 1, maxLength: 60 }),
      fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 120 }),
      (limit, calls, picks) => {
        const waiting = [...calls];
        const open: typeof calls = [];
        let spent = 0;
        let largest = 0;
        for (const pick of picks) {
          const openCalls = open.map(({ cost, slack }): CallBound => (slack === null ? {} : { costUsd: cost + slack }));
          const budget = { costUsd: limit };
          const verdict = judgeBudgets([check({ costUsd: spent, openCalls, budget, base: budget })]);
          expect(verdict.type === "reached").toBe(spent >= limit);
          const next = verdict.type === "free" && pick % 2 === 0 ? waiting.shift() : undefined;
          if (next !== undefined) open.push(next);
          else {
            const [over] = open.splice(pick % Math.max(1, open.length), 1);
            spent += over?.cost ?? 0;
            largest = Math.max(largest, over?.cost ?? 0);
          }
          expect(spent - limit).toBeLessThanOrEqual(largest);
        }
        // what is still in progress ends, too
        const rest = open.reduce((sum, { cost }) => sum + cost, spent);
        const most = Math.max(largest, ...open.map(({ cost }) => cost));
        expect(rest - limit).toBeLessThanOrEqual(most);
      },
    ),
    { numRuns: 2000 },
  );
});
