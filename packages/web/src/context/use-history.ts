import type { AttemptId, HistoryPage } from "@skein/contracts";
import { useEffect, useState } from "react";
import { applyHistoryPage, emptyHistoryView, type HistoryView, nextOffset } from "./history-view.ts";

/** While pages come in, the list is drawn this often: each time it is worked out whole. */
const showEveryMs = 250;
/** A message of the running execution is asked for this long after the event about it, together with those that follow. */
const refreshAfterMs = 600;

export interface LoadedHistory {
  view: HistoryView;
  isComplete: boolean;
  error: unknown;
  retry(): void;
}

/** Loads a history page by page, and again what may have changed whenever one of `changed` does. Their number stays the same. */
export function useHistory(
  attemptId: AttemptId,
  changed: readonly unknown[],
  loadPage: (id: AttemptId, offset: number, signal: AbortSignal) => Promise<HistoryPage>,
): LoadedHistory {
  const [loader, setLoader] = useState<HistoryLoader | null>(null);
  const [state, setState] = useState<{ view: HistoryView; error: unknown }>({ view: emptyHistoryView, error: null });
  useEffect(() => {
    const opened = openHistory((offset, signal) => loadPage(attemptId, offset, signal), setState);
    setLoader(opened);
    return () => opened.close();
  }, [attemptId, loadPage]);
  useEffect(() => loader?.refresh(), [loader, ...changed]);
  const { view, error } = state;
  return { view, error, isComplete: nextOffset(view, { refresh: false }) === null, retry: () => loader?.refresh() };
}

interface HistoryLoader {
  refresh(): void;
  close(): void;
}

function openHistory(
  load: (offset: number, signal: AbortSignal) => Promise<HistoryPage>,
  show: (state: { view: HistoryView; error: unknown }) => void,
): HistoryLoader {
  const closing = new AbortController();
  let view = emptyHistoryView;
  let isLoading = false;
  let isWanted = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shownAt = 0;

  async function loadAll(): Promise<void> {
    if (isLoading) return;
    isLoading = true;
    try {
      do {
        let offset = nextOffset(view, { refresh: isWanted });
        isWanted = false;
        while (offset !== null && !closing.signal.aborted) {
          view = applyHistoryPage(view, await load(offset, closing.signal));
          if (closing.signal.aborted) return;
          offset = nextOffset(view, { refresh: false });
          if (offset !== null && performance.now() - shownAt < showEveryMs) continue;
          show({ view, error: null });
          shownAt = performance.now();
        }
      } while (isWanted && !closing.signal.aborted);
    } catch (error) {
      if (!closing.signal.aborted) show({ view, error });
    } finally {
      isLoading = false;
    }
  }

  void loadAll();
  return {
    refresh() {
      isWanted = true;
      if (isLoading || timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        void loadAll();
      }, refreshAfterMs);
    },
    close() {
      clearTimeout(timer);
      closing.abort();
    },
  };
}
