import type { TokenCounter } from "../tokens/token-counter.ts";
import { type CompressionInput, measureRequest } from "./compression-input.ts";
import type { SummaryFailure } from "./compression-outcome.ts";
import type { CompressionPolicy } from "./compression-settings.ts";
import type { CompressionDecision } from "./decide-compression.ts";
import { type CompressionPlan, planCompression } from "./plan-compression.ts";

/** `automatic`: before a request. `by-hand`: the user sent /compact. */
export type CompressionReason = "automatic" | "by-hand";

/** What to do about a history, decided without a model. */
export type CompressionChoice =
  | { type: "nothing" }
  | { type: "summarize"; plan: CompressionPlan }
  /** Old tool outputs are pruned instead, because of `cause`. */
  | { type: "prune"; cause: SummaryFailure }
  | { type: "refuse"; cause: SummaryFailure };

/** Input of `chooseCompression`. */
export interface ChoiceInput extends CompressionInput {
  reason: CompressionReason;
  decision: CompressionDecision;
  settings: CompressionPolicy;
  counter: TokenCounter;
}

/** Decides whether to summarize, prune or do nothing. Pure. */
export function chooseCompression({ reason, decision, settings, counter, ...history }: ChoiceInput): CompressionChoice {
  const forbidden = findForbidden(reason, settings);
  if (forbidden !== undefined) {
    if (reason === "by-hand") return { type: "refuse", cause: forbidden };
    // Settings never prevent a message from being sent: what does not fit is pruned, without a model.
    return decision.tokens <= decision.limit ? { type: "nothing" } : { type: "prune", cause: forbidden };
  }
  if (reason === "automatic" && !decision.needed) return { type: "nothing" };
  const plan = choosePlan(history, { reason, counter, budget: decision.budget, keepTurns: Math.max(1, settings.keepRecentTurns) });
  if (plan !== undefined) return { type: "summarize", plan };
  // The turns to keep have more messages than the trigger: this is fine, and not reported.
  const isOnlyMany = reason === "automatic" && decision.needed && decision.reason === "message-count";
  return isOnlyMany ? { type: "nothing" } : { type: "prune", cause: "nothing-to-summarize" };
}

/** Why the settings allow no summary. */
function findForbidden(reason: CompressionReason, { enabled, auto }: CompressionPolicy): "switched-off" | "not-automatic" | undefined {
  if (!enabled) return "switched-off";
  return reason === "automatic" && !auto ? "not-automatic" : undefined;
}

/** Keeps as many turns as configured; fewer if they would not fit, or if the user requested a summary. */
function choosePlan(
  input: CompressionInput,
  { reason, counter, budget, keepTurns: wanted }: { reason: CompressionReason; counter: TokenCounter; budget: number; keepTurns: number },
): CompressionPlan | undefined {
  const mayKeepFewer = reason === "by-hand" || measureRequest(input, counter).tokens > budget;
  if (!mayKeepFewer) return planCompression({ ...input, keepTurns: wanted });
  let plan: CompressionPlan | undefined;
  for (let keepTurns = wanted; keepTurns >= 1; keepTurns--) {
    plan = planCompression({ ...input, keepTurns }) ?? plan;
    if (plan !== undefined && counter.countAll(plan.kept.map(({ body }) => body)) <= budget / 2) return plan;
  }
  return plan;
}
