import type { BudgetScope, ProviderLimit } from "@skein/contracts";
import { budgetScopes, toAmount } from "@skein/engine";

const limits: Record<ProviderLimit["code"], (agent: string) => string> = {
  "plan-limit": (agent) => `${agent} has used up what its plan includes.`,
  "daily-quota": (agent) => `${agent} has used up its requests for today.`,
  "rate-limit": (agent) => `The provider limits the requests of ${agent}.`,
  overloaded: (agent) => `The provider of ${agent} is overloaded.`,
};

/** Texts of executions whose budget is used up, and of parked ones. */
export const heldEn = {
  amount: toAmount,
  budgetTitle: "Budget reached",
  spent: (scope: BudgetScope, spent: string, limit: string, isPartial: boolean) =>
    `${isPartial ? "At least " : ""}${spent} of ${limit} for ${budgetScopes[scope]}.`,
  paused: "The agent is paused before its next model call.",
  notStarted: "Nothing runs until you decide.",
  more: (amount: string) => `Allow ${amount} more`,
  unlimited: "Continue without this budget",
  stop: "Stop",
  parkedTitle: (time: string) => `Parked until ${time}`,
  limit: (code: ProviderLimit["code"], agent: string) => limits[code](agent),
  unknownTime: (tries: number) =>
    `The provider did not say until when. ${tries > 1 ? `It has rejected this ${tries} times in a row; ` : ""}the next try is at this time.`,
  over: "It can be resumed now.",
  automatic: "Resume by itself at this time",
  resume: "Resume now",
  continueWith: "Continue with",
  chooseAgent: "another agent…",
  continuing: (agent: string) => `${agent} continues in a new attempt.`,
  cancel: "Cancel",
};
export type HeldText = typeof heldEn;
