import { toolDetailsSchema } from "@skein/contracts";
import { takeStart, toOneLine, truncateCodePoints } from "../text/truncate.ts";
import type { ToolPresentation } from "./tool-processor.ts";

const maxSummaryLength = 200;

/** What a processor that nobody vouches for returned. Throws an `Error` that says what is wrong with it. */
export function parsePresentation(value: unknown): ToolPresentation {
  if (typeof value !== "object" || value === null) throw new Error("present returned no object with a summary");
  const { summary, details } = value as { summary?: unknown; details?: unknown };
  if (typeof summary !== "string") throw new Error("present returned no summary");
  const line = truncateCodePoints(toOneLine(takeStart(summary, 1000)), maxSummaryLength);
  if (line === "") throw new Error("present returned an empty summary");
  if (details === undefined || details === null) return { summary: line };
  const parsed = toolDetailsSchema.safeParse(details);
  if (parsed.success) return { summary: line, details: parsed.data };
  const [issue] = parsed.error.issues;
  throw new Error(`present returned invalid details: ${["details", ...(issue?.path ?? [])].join(".")}: ${issue?.message ?? "not valid"}`);
}
