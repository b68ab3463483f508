import type { HistoryEntry, HistoryPage, HistorySummary } from "@skein/contracts";
import { emptyUIConversation, formatMessages, handleMessage, type UIConversation } from "@skein/engine";

/** What is loaded of a history, up to its end, and the same as the UI shows it. */
export interface HistoryView {
  /** Index of the first loaded message in the whole history. */
  readonly from: number;
  readonly entries: readonly HistoryEntry[];
  readonly ui: UIConversation;
  /** The UI's state after the first `count` entries: what follows is formatted again from there, not from the start. */
  readonly checkpoints: readonly Checkpoint[];
  /** Messages that the server has. */
  readonly total: number;
  /** Of those, messages from the start that no longer change. */
  readonly settled: number;
  readonly compressionId: string | null;
  readonly summary: HistorySummary | null;
}

interface Checkpoint {
  count: number;
  ui: UIConversation;
}

export const emptyHistoryView: HistoryView = {
  from: 0,
  entries: [],
  ui: emptyUIConversation,
  checkpoints: [],
  total: 0,
  settled: 0,
  compressionId: null,
  summary: null,
};

/** The newest messages are there at once, whatever their number. */
const firstPage = 200;
const largestPage = 1000;
/** How many of the newest messages of a running execution are loaded again: a late result may be among them. */
const overlap = 200;

/** A negative offset counts from the end. */
export interface PageQuery {
  offset: number;
  limit: number;
}

/** The page that is missing at the end; `refresh` asks again for what may have changed. Null when there is nothing to ask for. */
export function findNewerPage(view: HistoryView, { refresh }: { refresh: boolean }): PageQuery | null {
  if (view.compressionId === null) return { offset: -firstPage, limit: firstPage };
  const end = view.from + view.entries.length;
  if (refresh) return { offset: Math.max(view.from, Math.min(end, Math.max(view.settled, end - overlap))), limit: largestPage };
  return end < view.total ? { offset: end, limit: largestPage } : null;
}

/** The page before what is loaded: the more is loaded, the larger. Null at the start of the history. */
export function findEarlierPage({ from, entries }: HistoryView): PageQuery | null {
  if (from === 0) return null;
  const size = Math.min(largestPage, Math.max(firstPage, entries.length));
  const offset = Math.max(0, from - size);
  return { offset, limit: from - offset };
}

/**
 * Puts a page in its place, before what is loaded or at its end; what was known after it is dropped and loaded again. A
 * page that was made under another compression does not fit: the result is then empty, and everything is loaded again.
 */
export function applyHistoryPage(view: HistoryView, page: HistoryPage): HistoryView {
  const { offset, messages, total, settled, compressionId, summary } = page;
  const isFirst = view.compressionId === null;
  if (!isFirst && compressionId !== view.compressionId) return emptyHistoryView;
  const isEarlier = !isFirst && offset < view.from;
  const end = view.from + view.entries.length;
  if (!isFirst && (isEarlier ? offset + messages.length !== view.from : offset > end)) return view;
  const from = isFirst || isEarlier ? offset : view.from;
  const kept = isFirst ? [] : isEarlier ? view.entries : view.entries.slice(0, offset - from);
  const known = kept.map((entry, i) => (entry.isLive && view.from + i < settled ? { ...entry, isLive: false } : entry));
  const entries = isEarlier ? [...messages, ...known] : [...known, ...messages];
  const checkpoints = isFirst || isEarlier ? [] : view.checkpoints.filter(({ count }) => count <= known.length);
  return { from, entries, ...format(entries, { from, checkpoints }), total, settled, compressionId, summary };
}

function format(
  entries: readonly HistoryEntry[],
  { from, checkpoints }: { from: number; checkpoints: readonly Checkpoint[] },
): Pick<HistoryView, "ui" | "checkpoints"> {
  const start = checkpoints.at(-1) ?? { count: from === 0 ? 0 : countLeadingResults(entries), ui: emptyUIConversation };
  const added = entries.slice(start.count);
  const firstLive = added.findIndex(({ isLive }) => isLive);
  // live messages come one by one; those that are not loaded again count as stored
  const stored = firstLive === -1 ? added : added.slice(0, Math.max(firstLive, added.length - overlap));
  const storedUI = formatMessages(stored, start.ui);
  const ui = added.slice(stored.length).reduce(handleMessage, storedUI);
  const count = start.count + stored.length;
  return { ui, checkpoints: stored.length === 0 ? checkpoints : [...checkpoints, { count, ui: storedUI }] };
}

/** Their calls are not loaded yet: they are shown together with them. */
function countLeadingResults(entries: readonly HistoryEntry[]): number {
  const first = entries.findIndex(({ body }) => body.role !== "tool");
  return first === -1 ? entries.length : first;
}
