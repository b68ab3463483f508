import type { AutomationRun } from "@skein/contracts";
import { formatText } from "@skein/engine";
import { formatTable } from "../format/table.ts";
import { toRevealedLine } from "../terminal/terminal-text.ts";
import { toMinute } from "./action-target.ts";

/** What an automation did, and why nothing came of some runs. */
export function formatRuns(runs: readonly AutomationRun[]): string {
  if (runs.length === 0) return "No runs yet.";
  const rows = runs.map(({ at, state, isManual, taskId, reason }) => [
    toMinute(at),
    isManual ? `${state}, asked for` : state,
    taskId ?? "",
    reason === null ? "" : toRevealedLine(typeof reason === "string" ? reason : formatText(reason)),
  ]);
  return formatTable(["TIME", "STATE", "TASK", "WHY"], rows);
}
