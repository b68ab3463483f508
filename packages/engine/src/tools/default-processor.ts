import { toSubject } from "./summaries.ts";
import type { ToolObservation, ToolPresentation } from "./tool-processor.ts";

const endings: Readonly<Record<ToolObservation["state"], string>> = {
  running: "",
  completed: " completed",
  failed: " failed",
  denied: " was denied",
  interrupted: " was interrupted",
  "timed-out": " timed out",
};

/** Any tool that no processor knows: its name and how it ended. */
export function presentUnknownTool({ toolName, state, isError }: ToolObservation): ToolPresentation {
  const ending = state === "completed" && isError ? endings.failed : endings[state];
  return { summary: `${toSubject(toolName) || "Tool"}${ending}` };
}
