import { toolDetailsSchema, toolSummaryDraftSchema } from "@skein/contracts";
import { toPresented } from "./summaries.ts";
import type { PresentedTool, SummaryDraft, ToolObservation } from "./tool-processor.ts";

/** Validates the result of an untrusted processor. Throws an `Error` that describes the problem. */
export function parsePresentation(value: unknown, observation: ToolObservation): PresentedTool {
  if (typeof value !== "object" || value === null) throw new Error("present returned no object with a summary");
  const { summary, details } = value as { summary?: unknown; details?: unknown };
  const draft = parseSummary(summary);
  if (details === undefined || details === null) return toPresented({ summary: draft }, observation);
  const parsed = toolDetailsSchema.safeParse(details);
  if (!parsed.success) throw new Error(`present returned invalid details: ${describe("details", parsed.error)}`);
  return toPresented({ summary: draft, details: parsed.data }, observation);
}

function parseSummary(summary: unknown): SummaryDraft | string {
  if (typeof summary === "string") {
    if (summary.trim() === "") throw new Error("present returned an empty summary");
    return summary;
  }
  if (typeof summary !== "object" || summary === null) throw new Error("present returned no summary");
  const parsed = toolSummaryDraftSchema.safeParse(summary);
  if (!parsed.success) throw new Error(`present returned an invalid summary: ${describe("summary", parsed.error)}`);
  return parsed.data;
}

function describe(field: string, { issues: [issue] }: { issues: { path: PropertyKey[]; message: string }[] }): string {
  return `${[field, ...(issue?.path ?? [])].join(".")}: ${issue?.message ?? "not valid"}`;
}
