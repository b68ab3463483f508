import type { EndedExecution } from "@skein/contracts";
import type { Formats } from "../i18n/format.ts";
import type { TaskTexts } from "../i18n/task-text.ts";

/** How it ended, if that is noteworthy, its duration, tokens and cost; only known values. */
export function toExecutionFacts({ status, code, durationMs, usage }: EndedExecution, text: TaskTexts, format: Formats): string[] {
  const limit = code === "step-limit" || code === "cost-limit" ? text.flow.execution.codes[code] : undefined;
  const facts = status === "success" ? [] : [limit ?? text.execution.status[status]];
  facts.push(format.duration(durationMs));
  const count = (tokens: number): string => (usage.isPartial ? text.execution.atLeast(format.tokens(tokens)) : format.tokens(tokens));
  if (usage.inputTokens !== undefined) facts.push(text.execution.tokensIn(count(usage.inputTokens)));
  if (usage.outputTokens !== undefined) facts.push(text.execution.tokensOut(count(usage.outputTokens)));
  if (usage.costUsd !== undefined) facts.push(format.money(usage.costUsd));
  return facts;
}
