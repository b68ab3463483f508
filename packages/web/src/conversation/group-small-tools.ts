import type { ConversationMessage, ToolExecutionMessage, ToolSummary } from "@skein/contracts";
import { type ToolKind, toolKind } from "../tools/tool-card-view.ts";
import { toToolSummary } from "../tools/tool-summary.ts";
import type { ConversationNode } from "./nesting.ts";

export type ConversationEntry = ConversationNode | { kind: "group"; key: string; messages: readonly ToolExecutionMessage[] };

/** Tools that only read. */
const smallKinds: ReadonlySet<ToolKind> = new Set(["read", "search", "list"]);
/** Fewer take no more space than the line that would replace them. */
const smallestGroup = 3;

/** Reads and searches of one agent that follow each other become one entry; nothing is left out of it, also not what failed. */
export function groupSmallTools(nodes: readonly ConversationNode[]): ConversationEntry[] {
  const entries: ConversationEntry[] = [];
  let run: ToolExecutionMessage[] = [];
  const endRun = (): void => {
    const [first] = run;
    if (first && run.length >= smallestGroup) entries.push({ kind: "group", key: `group:${first.id}`, messages: run });
    else for (const message of run) entries.push({ kind: "message", message, children: [] });
    run = [];
  };
  for (const node of nodes) {
    if (node.kind === "message" && node.children.length === 0 && isSmall(node.message)) run.push(node.message);
    else {
      endRun();
      entries.push(node);
    }
  }
  endRun();
  return entries;
}

function isSmall(message: ConversationMessage): message is ToolExecutionMessage {
  if (message.messageType !== "tool_execution") return false;
  return smallKinds.has(toolKind(message.metadata.toolName, message.metadata.details ?? null));
}

export interface ToolGroupView {
  /** How many files were read (each counted once), searches made, folders listed. */
  counts: { read: number; search: number; list: number };
  failed: number;
  /** Summary of the newest running tool; null when all have ended. */
  running: ToolSummary | null;
  /** From the first start to the last end; null while one runs. */
  durationMs: number | null;
}

export function toToolGroupView(messages: readonly ToolExecutionMessage[]): ToolGroupView {
  const counts = { read: 0, search: 0, list: 0 };
  const filesRead = new Set<string>();
  let failed = 0;
  let running: ToolSummary | null = null;
  let start = Number.POSITIVE_INFINITY;
  let end = 0;
  for (const message of messages) {
    const { metadata, content, timestamp } = message;
    const kind = toolKind(metadata.toolName, metadata.details ?? null);
    if (kind === "read") filesRead.add(metadata.details?.type === "fileContent" ? metadata.details.data.filePath : content);
    else if (kind === "search" || kind === "list") counts[kind]++;
    start = Math.min(start, timestamp);
    if (metadata.state === "running") running = toToolSummary(message);
    else {
      end = Math.max(end, timestamp + metadata.durationMs);
      if (metadata.state !== "completed") failed++;
    }
  }
  return { counts: { ...counts, read: filesRead.size }, failed, running, durationMs: running === null ? Math.max(0, end - start) : null };
}
