import type { HistoryEntry, HistoryPage, HistorySummary } from "@skein/contracts";
import { emptyUIConversation, formatMessages, handleMessage, type UIConversation } from "@skein/engine";

/** What is loaded of a history, and the same as the UI shows it. */
export interface HistoryView {
  readonly entries: readonly HistoryEntry[];
  readonly ui: UIConversation;
  /** The UI's state after the first `count` messages: what follows is formatted again from there, not from the start. */
  readonly checkpoints: readonly { count: number; ui: UIConversation }[];
  /** Messages that the server has. */
  readonly total: number;
  /** Of those, messages from the start that no longer change. */
  readonly settled: number;
  readonly compressionId: string | null;
  readonly summary: HistorySummary | null;
}

const start = { count: 0, ui: emptyUIConversation };

export const emptyHistoryView: HistoryView = {
  entries: [],
  ui: emptyUIConversation,
  checkpoints: [start],
  total: 0,
  settled: 0,
  compressionId: null,
  summary: null,
};

/** So many of the newest messages of a running execution are asked for again: a late result may stand among them. */
const overlap = 200;

/** Where the next page begins; `refresh` asks again for what may have changed. Null when there is nothing to ask for. */
export function nextOffset(view: HistoryView, { refresh }: { refresh: boolean }): number | null {
  const { length } = view.entries;
  if (refresh) return Math.min(length, Math.max(view.settled, length - overlap));
  return length < view.total || view.compressionId === null ? length : null;
}

/**
 * Puts a page in its place; what was known behind it is dropped and asked for again. A page that was made under another
 * compression does not fit: the result is then empty, to be loaded from the start.
 */
export function applyHistoryPage(view: HistoryView, page: HistoryPage): HistoryView {
  const { offset, total, settled, compressionId, summary } = page;
  if (offset > view.entries.length) return view;
  if (offset > 0 && compressionId !== view.compressionId) return emptyHistoryView;
  const kept = view.entries.slice(0, offset).map((entry, i) => (entry.isLive && i < settled ? { ...entry, isLive: false } : entry));
  const entries = [...kept, ...page.messages];
  const checkpoints = view.checkpoints.filter(({ count }) => count <= offset);
  const from = checkpoints.at(-1) ?? start;
  const added = entries.slice(from.count);
  const firstLive = added.findIndex(({ isLive }) => isLive);
  // live messages come one by one; those that are not asked for again count as stored
  const stored = firstLive === -1 ? added : added.slice(0, Math.max(firstLive, added.length - overlap));
  const storedUI = formatMessages(stored, from.ui);
  const ui = added.slice(stored.length).reduce(handleMessage, storedUI);
  const count = from.count + stored.length;
  return {
    entries,
    ui,
    checkpoints: count === from.count ? checkpoints : [...checkpoints, { count, ui: storedUI }],
    total,
    settled,
    compressionId,
    summary,
  };
}
