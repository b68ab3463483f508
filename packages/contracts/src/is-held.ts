import type { BudgetWait, ExecutionWait, ParkedWait } from "./execution.ts";

/** The waits that hold an execution back until its user or its provider does something. */
export function isHeld(wait: ExecutionWait): wait is BudgetWait | ParkedWait {
  return wait.for === "budget" || wait.for === "provider";
}
