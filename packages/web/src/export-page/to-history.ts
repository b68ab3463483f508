import type { HistoryEntry, MessageBody, StoredMessage } from "@skein/contracts";
import { applyHistoryPage, emptyHistoryView, type HistoryView } from "../context/history-view.ts";

/** The exported protocol messages as the Context pane shows them: folded by `formatMessages`. */
export function toHistory(messages: readonly StoredMessage[]): HistoryView {
  const entries = messages.map(
    ({ id, executionId, body, model, createdAt, tokens }): HistoryEntry => ({
      ...{ id, executionId, createdAt, body: body as MessageBody, isShortened: false },
      ...(model === undefined ? {} : { model }),
      ...{ isInherited: false, isLive: false, isSummarized: false, pruned: [] },
      size: { tokens: tokens ?? 0, isEstimate: true },
    }),
  );
  const total = entries.length;
  return applyHistoryPage(emptyHistoryView, { offset: 0, messages: entries, total, settled: total, compressionId: "", summary: null });
}
