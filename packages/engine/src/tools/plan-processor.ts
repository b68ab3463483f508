import { keepStart } from "../text/truncate.ts";
import { stringField } from "./json-fields.ts";
import { hasSucceeded, type ToolObservation, type ToolProcessor } from "./tool-processor.ts";

const maxPlanLength = 64 * 1024;

const endings: Readonly<Record<ToolObservation["state"], string>> = {
  running: "Proposing a plan",
  completed: "Plan approved",
  failed: "Could not propose a plan",
  denied: "Plan was not approved",
  interrupted: "Proposing a plan was interrupted",
  "timed-out": "Proposing a plan timed out",
};

/** The plan is shown while it waits for its approval, because it is what the person decides about, and after it; not in place of an error. */
export const planProcessor: ToolProcessor = {
  toolNames: ["ExitPlanMode", "exit_plan_mode"],
  present(observation) {
    const { input, structured, state } = observation;
    const hasFailed = state === "failed" || (state === "completed" && !hasSucceeded(observation));
    if (hasFailed) return { summary: endings.failed };
    const summary = endings[state];
    const plan = stringField(structured, "plan") ?? stringField(input, "plan");
    return plan === undefined ? { summary } : { summary, details: { type: "plan", data: { plan: keepStart(plan, maxPlanLength) } } };
  },
};
