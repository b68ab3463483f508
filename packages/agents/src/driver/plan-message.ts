import type { PlanApproval } from "@skein/contracts";

/** The message that ends an agent's planning, if its protocol has no answer for that. */
export function toPlanMessage({ text }: PlanApproval): string {
  return text === undefined
    ? "I approve the plan. Plan mode is over: carry out the plan now."
    : `I edited your plan and approve it as follows. Plan mode is over: carry out this plan now.\n\n${text}`;
}
