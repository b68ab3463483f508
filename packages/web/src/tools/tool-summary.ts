import type { StoredToolSummary, ToolExecutionMessage, ToolSummary } from "@skein/contracts";

/** What a card says in one line, as data: `text.tool.summary` has the words for it. */
export function toToolSummary({ content, metadata }: ToolExecutionMessage): ToolSummary {
  const { summary, state, isError, toolName } = metadata;
  if (typeof summary !== "string") return summary;
  return fromStored(content || summary || toolName, state === "completed" && isError ? "failed" : state);
}

/** The same for a summary that stands alone. Messages of earlier releases have an English sentence, which is shown as it is. */
export function fromStored(summary: StoredToolSummary, state: ToolSummary["state"]): ToolSummary {
  return typeof summary === "string" ? { action: "text", subject: summary, state } : summary;
}
