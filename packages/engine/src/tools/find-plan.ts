import type { JsonValue } from "@skein/contracts";
import { stringField } from "./json-fields.ts";

/** The tools by which agents ask for approval of a plan; `exit_plan` is Skein's own. */
export const planTools: readonly string[] = ["ExitPlanMode", "exit_plan_mode", "exit_plan"];

/** The plan in a request, and the input field that contains it; undefined for every other request. */
export function findPlan({ toolName, input }: { toolName: string; input: JsonValue }): { text: string; field: string } | undefined {
  if (!planTools.includes(toolName)) return undefined;
  // ACP agents describe a call without an input by its content
  for (const field of ["plan", "content"]) {
    const text = stringField(input, field);
    if (text !== undefined && text.trim() !== "") return { text, field };
  }
  return undefined;
}
