import type { StoredToolSummary, ToolExecutionMessage, ToolSummary } from "@skein/contracts";

/** The one-line summary of a card, as data; `text.tool.summary` formats it. */
export function toToolSummary({ content, metadata }: ToolExecutionMessage): ToolSummary {
  const { summary, state, isError, toolName } = metadata;
  if (typeof summary !== "string") return summary;
  return fromStored(content || summary || toolName, state === "completed" && isError ? "failed" : state);
}

/** The same for a summary on its own. Messages of earlier releases have an English sentence, which is shown unchanged. */
export function fromStored(summary: StoredToolSummary, state: ToolSummary["state"]): ToolSummary {
  return typeof summary === "string" ? { action: "text", subject: summary, state } : summary;
}
