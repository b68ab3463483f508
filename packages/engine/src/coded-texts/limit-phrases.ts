import type { BudgetMeasure, BudgetScope, LimitedResource, ProviderLimit } from "@skein/contracts";

/** What a budget belongs to, in a sentence. */
export const budgetScopes: Readonly<Record<BudgetScope, string>> = {
  execution: "this execution",
  task: "this task",
  project: "this project",
  projectDay: "this project for this day",
  day: "the day",
};

let numbers: Intl.NumberFormat | undefined;

/** Made when it is needed: the first one of a process takes 10 ms, which each start of an agent would pay. */
function formatNumber(value: number): string {
  numbers ??= new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
  return numbers.format(value);
}

/** An amount with its unit: `$5.02`, `1,200 tokens`, `30 min`. */
export function toAmount(measure: BudgetMeasure, value: number): string {
  switch (measure) {
    case "costUsd":
      return `$${value.toFixed(2)}`;
    case "tokens":
      return `${formatNumber(value)} tokens`;
    case "minutes":
      return `${formatNumber(value)} min`;
  }
}

/** `4 GB of memory`, `4,096 processes and threads`. */
export function toResource(resource: LimitedResource, value: number): string {
  if (resource === "processes") return `${formatNumber(value)} processes and threads`;
  const gigabytes = value / 1024 ** 3;
  return gigabytes < 1 ? `${formatNumber(Math.round(value / 1024 ** 2))} MB of memory` : `${formatNumber(gigabytes)} GB of memory`;
}

export function limitReached(agent: string, code: ProviderLimit["code"]): string {
  switch (code) {
    case "plan-limit":
      return `${agent} has used up what its plan includes.`;
    case "daily-quota":
      return `${agent} has used up its requests for today.`;
    case "rate-limit":
      return `The provider limits the requests of ${agent}.`;
    case "overloaded":
      return `The provider of ${agent} is overloaded.`;
  }
}

export function toReset(resetsAt: number | null): string {
  return resetsAt === null ? "It did not say until when." : `The limit ends at ${new Date(resetsAt).toISOString()}.`;
}
