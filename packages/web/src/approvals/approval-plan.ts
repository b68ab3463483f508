import type { Approval } from "@skein/contracts";

const planTools = new Set(["ExitPlanMode", "exit_plan_mode"]);

/** The plan that a question is about, and the field of its input that holds it; null for every other question. */
export function toApprovalPlan({ toolName, input }: Pick<Approval, "toolName" | "input">): { text: string; field: string } | null {
  if (!planTools.has(toolName) || typeof input !== "object" || input === null || Array.isArray(input)) return null;
  // agents that speak ACP describe a call without an input by its content
  const field = ["plan", "content"].find((name) => typeof input[name] === "string" && input[name].trim() !== "");
  return field === undefined ? null : { text: input[field] as string, field };
}
