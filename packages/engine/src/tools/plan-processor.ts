import { keepStart } from "../text/truncate.ts";
import { findPlan, planTools } from "./find-plan.ts";
import { stringField } from "./json-fields.ts";
import type { ToolProcessor } from "./tool-processor.ts";

const maxPlanLength = 64 * 1024;

/**
 * The plan is shown in every state: while it waits, because the user decides about it, and after a failure, too. Unlike a diff it implies
 * no effect; the error is shown below it.
 */
export const planProcessor: ToolProcessor = {
  toolNames: planTools,
  present({ toolName, input, structured }) {
    const summary = { action: "propose-plan" } as const;
    const plan = stringField(structured, "plan") ?? findPlan({ toolName, input })?.text;
    return plan === undefined ? { summary } : { summary, details: { type: "plan", data: { plan: keepStart(plan, maxPlanLength) } } };
  },
};
