import type { ToolAction, ToolSummary } from "@skein/contracts";
import { takeEnd, takeStart, toOneLine, truncateCodePoints } from "../text/truncate.ts";
import { hasSucceeded, type PresentedTool, type SummaryDraft, type ToolObservation, type ToolPresentation } from "./tool-processor.ts";

const maxSubjectLength = 80;
const maxSentenceLength = 200;
/** Longer than most paths: a client cuts a path where it has no room, and knows which part of it to keep. */
const maxPathLength = 300;

const pathActions: ReadonlySet<ToolAction> = new Set(["read", "write", "update", "delete", "move", "list"]);

/** Completes a presentation: its summary on one line. An empty sentence is replaced by the tool's name. */
export function toPresented({ summary, details }: ToolPresentation, observation: ToolObservation): PresentedTool {
  const complete = toSummary(summary, observation);
  return details === undefined ? { summary: complete } : { summary: complete, details };
}

function toSummary(draft: SummaryDraft | string, observation: ToolObservation): ToolSummary {
  if (typeof draft === "string") return toSummary({ action: "text", subject: draft }, observation);
  const { action, count, total, state = toShownState(observation) } = draft;
  const isPath = pathActions.has(action) && count === undefined;
  const subject = isPath ? toPathLine(draft.subject) : toLine(draft.subject, action === "text" ? maxSentenceLength : maxSubjectLength);
  if (subject === "" && action === "text") return toSummary({ action: "call", subject: observation.toolName }, observation);
  const summary: ToolSummary = { action, state };
  if (subject !== "") summary.subject = subject;
  if (count !== undefined) summary.count = count;
  if (total !== undefined) summary.total = total;
  return summary;
}

function toShownState(observation: ToolObservation): ToolSummary["state"] {
  return observation.state === "completed" && !hasSucceeded(observation) ? "failed" : observation.state;
}

function toLine(text: string | undefined, maxLength: number): string {
  if (text === undefined) return "";
  // A command may have megabytes: only the displayed start is processed.
  return truncateCodePoints(toOneLine(takeStart(text, 1000)), maxLength);
}

/** Keeps the end of a long path, which names the file. */
function toPathLine(path: string | undefined): string {
  if (path === undefined) return "";
  const line = toOneLine(takeEnd(path, 1000));
  return line.length <= maxPathLength ? line : `…${takeEnd(line, maxPathLength - 1)}`;
}
