import type { HistoryEntry, HistorySummary } from "@skein/contracts";
import { type MessageChange, traceRequest, type UIMessage, type UIToolPart } from "@skein/engine";
import type { HistoryView } from "./history-view.ts";

/** How a request changes a message, for display. */
export type ShownChange = Exclude<MessageChange, { type: "summarized" }> | { type: "pruned"; before: number; after: number };

/** The message that holds a tool's result, of a part of its call's message. */
export interface ShownResult {
  entry: HistoryEntry;
  changes: readonly ShownChange[];
}

export type ContextRow =
  | { kind: "summary"; key: string; summary: HistorySummary; isOpen: boolean }
  | {
      kind: "message";
      key: string;
      message: UIMessage;
      entry: HistoryEntry;
      changes: readonly ShownChange[];
      /** By the index of the tool part. */
      results: ReadonlyMap<number, ShownResult>;
    };

/** Rows of the list: the messages that a summary replaces are hidden until it is opened. */
export function toContextRows(view: HistoryView, { showsReplaced }: { showsReplaced: boolean }): ContextRow[] {
  const { entries, ui, summary } = view;
  const byId = new Map(entries.map((entry) => [entry.id as string | number, entry]));
  const changesOf = createChanges(view);
  const takeResult = createResults(view);
  const rows: ContextRow[] = [];
  let summaryRow: ContextRow | null = summary && { kind: "summary", key: `summary:${summary.id}`, summary, isOpen: showsReplaced };
  for (const message of ui.messages) {
    const entry = byId.get(message.id);
    if (entry === undefined) continue;
    const results = new Map<number, ShownResult>();
    if (message.role === "assistant") {
      message.parts.forEach((part, index) => {
        const result = part.type === "tool" && part.state === "tool_result" ? takeResult(part) : undefined;
        if (result !== undefined) results.set(index, { entry: result, changes: changesOf(result) });
      });
    }
    if (summaryRow !== null && (entry.isSummarized || entry.id === summary?.startMessageId)) {
      rows.push(summaryRow);
      summaryRow = null;
    }
    if (entry.isSummarized && !showsReplaced) continue;
    rows.push({ kind: "message", key: entry.id, message, entry, changes: changesOf(entry), results });
  }
  // everything that it replaces is gone, or not loaded yet
  const isReached = view.from === 0 || entries.some(({ isSummarized }) => isSummarized);
  return summaryRow === null || !isReached ? rows : [summaryRow, ...rows];
}

function createChanges({ entries, summary, from }: HistoryView): (entry: HistoryEntry) => ShownChange[] {
  const messageIds = entries.filter(({ isSummarized }) => isSummarized).map(({ id }) => id);
  const { changes } = traceRequest(entries, summary && { messageIds, startMessageId: summary.startMessageId, summary: summary.summary });
  return (entry) => [
    ...entry.pruned.map(({ before, after }) => ({ type: "pruned" as const, before, after })),
    ...(changes.get(entry.id) ?? [])
      .filter((change) => change.type !== "summarized")
      // its call may be among what is not loaded
      .filter((change) => !(from > 0 && change.type === "dropped-result"))
      // a tool that still runs has no result yet: nothing is wrong with its call
      .filter((change) => !(entry.isLive && change.type === "added-result")),
  ];
}

/** The messages of results, each for the part that shows it: ids may come again, so they are taken in their order. */
function createResults({ entries, ui }: HistoryView): (part: UIToolPart) => HistoryEntry | undefined {
  const unmatched = new Set(ui.reports.map(({ messageId, toolCallId }) => `${messageId} ${toolCallId}`));
  const waiting = new Map<string, HistoryEntry[]>();
  for (const entry of entries) {
    if (entry.body.role !== "tool") continue;
    for (const { toolCallId } of entry.body.content) {
      if (unmatched.has(`${entry.id} ${toolCallId}`)) continue;
      const known = waiting.get(toolCallId);
      if (known === undefined) waiting.set(toolCallId, [entry]);
      else known.push(entry);
    }
  }
  return ({ id }) => waiting.get(id)?.shift();
}

/** Whether rows are missing above those of `toContextRows`; what a closed summary replaces is not missing. */
export function hasEarlierRows({ from, entries }: HistoryView, { showsReplaced }: { showsReplaced: boolean }): boolean {
  return from > 0 && (showsReplaced || entries[0]?.isSummarized !== true);
}

export interface HistoryTotals {
  messages: number;
  /** In requests: without what a summary replaces, and with what pruning left. */
  tokens: number;
  /** True where a part of the sum is an estimate. */
  isEstimate: boolean;
  /** True where messages are missing that requests hold. */
  isPartial: boolean;
}

export function sumHistory({ entries, summary, from, total }: HistoryView): HistoryTotals {
  let tokens = summary?.summaryTokenCount ?? 0;
  let isEstimate = summary !== null;
  let sent = 0;
  for (const { isSummarized, size, pruned } of entries) {
    if (isSummarized) continue;
    sent++;
    tokens += size.tokens - pruned.reduce((saved, { before, after }) => saved + before - after, 0);
    isEstimate ||= size.isEstimate;
  }
  const isPartial = from > 0 && sent + (summary?.messageCount ?? 0) < total;
  return { messages: total, tokens, isEstimate, isPartial };
}
