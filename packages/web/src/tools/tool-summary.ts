import type { StoredToolSummary, ToolExecutionMessage, ToolSummary } from "@skein/contracts";
import { readStoredSentence } from "./stored-sentence.ts";

/** The one-line summary of a card, as data; `text.tool.summary` formats it. */
export function toToolSummary({ content, metadata }: ToolExecutionMessage): ToolSummary {
  const { summary, state, isError, toolName } = metadata;
  if (typeof summary !== "string") return summary;
  return fromStored(content || summary || toolName, state === "completed" && isError ? "failed" : state);
}

/** The same for a summary on its own. */
export function fromStored(summary: StoredToolSummary, state: ToolSummary["state"]): ToolSummary {
  return typeof summary === "string" ? readStoredSentence(summary, state) : summary;
}
