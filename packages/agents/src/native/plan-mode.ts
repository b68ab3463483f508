import type { JsonValue } from "@skein/contracts";
import { z } from "zod";
import { defineTool, type NativeTool } from "../tools/tool.ts";
import type { Turn } from "./turn.ts";

export const planToolName = "exit_plan";

/** Stays in requests after the approval, so that their prefix does not change: it describes both phases. */
export const planPrompt = `Plan mode: until the user has approved a plan you have only tools that read. Find out what you need, ask what only the
user can decide, and then call ${planToolName} with the whole plan: what you will change, in which files, and how you will check it. Do not
describe the plan in your answer instead. Once it is approved you have all tools: carry it out.`;

const reading: readonly NativeTool["access"][] = ["read", "free"];

/** Withholds all tools that do more than read until the user has approved a plan. */
export function enterPlanMode(turn: Turn): void {
  const all = turn.tools;
  const readers = [...all].filter(([, tool]) => reading.includes(tool.access));
  const leave = (mode: Turn["permissionMode"]): void => {
    turn.permissionMode = mode;
    turn.tools = all;
  };
  turn.tools = new Map([...readers, [planToolName, createPlanTool(turn, leave)]]);
}

/** A plan is an approval (E10): it waits, survives a restart, and is answered once, with a text or an edited plan. */
function createPlanTool(turn: Turn, leave: (mode: Turn["permissionMode"]) => void): NativeTool {
  return defineTool({
    name: planToolName,
    access: "free",
    description: "Proposes a plan to the user, who approves it, edits it or answers with feedback, and ends plan mode when it is approved.",
    schema: z.strictObject({ plan: z.string().min(1).max(100_000).describe("The whole plan, in Markdown") }),
    async run(input, { toolUseId }) {
      turn.emit({ type: "approval-request", toolUseId, toolName: planToolName, input: input as JsonValue, at: turn.now() });
      const answer = await turn.approvals.waitFor(toolUseId, turn.signal);
      if (answer === undefined || turn.signal.aborted) return { output: "Stopped before the user answered.", state: "interrupted" };
      if (answer.decision === "deny") {
        const feedback =
          answer.reason === null || answer.reason === "" ? "They gave no reason; ask them." : `Their feedback: ${answer.reason}`;
        return { output: `The user did not approve the plan. Plan mode continues. ${feedback}`, state: "denied" };
      }
      const { mode, text } = answer.plan ?? { mode: "ask" as const };
      leave(mode);
      const output =
        text === undefined
          ? "The user approved the plan. Plan mode is over and you have all tools: carry the plan out."
          : `The user edited the plan and approved it. Plan mode is over and you have all tools: carry out this plan, not yours.\n\n${text}`;
      return { output, state: "completed", structured: { plan: text ?? input.plan } };
    },
  });
}
