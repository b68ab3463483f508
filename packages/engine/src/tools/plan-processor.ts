import { keepStart } from "../text/truncate.ts";
import { stringField } from "./json-fields.ts";
import { hasSucceeded, type ToolProcessor } from "./tool-processor.ts";

const maxPlanLength = 64 * 1024;

/** The plan is shown while it waits for its approval, because it is what the person decides about, and after it; not in place of an error. */
export const planProcessor: ToolProcessor = {
  toolNames: ["ExitPlanMode", "exit_plan_mode"],
  present(observation) {
    const { input, structured, state } = observation;
    const hasFailed = state === "failed" || (state === "completed" && !hasSucceeded(observation));
    const summary = { action: "propose-plan" } as const;
    if (hasFailed) return { summary };
    const plan = stringField(structured, "plan") ?? stringField(input, "plan");
    return plan === undefined ? { summary } : { summary, details: { type: "plan", data: { plan: keepStart(plan, maxPlanLength) } } };
  },
};
