import type { AttemptId, HistoryPage } from "@skein/contracts";
import { useEffect, useState } from "react";
import { applyHistoryPage, findEarlierPage, findNewerPage, type HistoryView, type PageQuery } from "./history-view.ts";
import type { PaneState } from "./pane-state.ts";

/** While all of it is loaded, the list is drawn this often: each time it is worked out whole. */
const showEveryMs = 500;
/** How long after its event a message of the running execution is loaded, together with those that follow. */
const refreshAfterMs = 600;

export interface LoadedHistory {
  view: HistoryView;
  /** Nothing is missing at the end. */
  isCurrent: boolean;
  /** Earlier messages are on their way. */
  isLoadingEarlier: boolean;
  error: unknown;
  retry(): void;
  loadEarlier(): void;
  loadAll(): void;
}

/**
 * Loads the end of a history, again whenever one of `changed` changes (their number stays the same), and earlier messages on
 * request.
 */
export function useHistory(
  attemptId: AttemptId,
  { changed, state, loadPage }: { changed: readonly unknown[]; state: PaneState; loadPage: LoadPage },
): LoadedHistory {
  const [loader, setLoader] = useState<HistoryLoader | null>(null);
  const [shown, setShown] = useState<Shown>({ view: state.history, isLoadingEarlier: false, error: null });
  useEffect(() => {
    const opened = openHistory(state.history, (query, signal) => loadPage(attemptId, query, signal), {
      show: setShown,
      keep: (view) => {
        state.history = view;
      },
    });
    setLoader(opened);
    return () => opened.close();
  }, [attemptId, state, loadPage]);
  useEffect(() => loader?.refresh(), [loader, ...changed]);
  return {
    ...shown,
    isCurrent: findNewerPage(shown.view, { refresh: false }) === null,
    retry: () => loader?.refresh(),
    loadEarlier: () => loader?.loadEarlier(1),
    loadAll: () => loader?.loadEarlier(Number.POSITIVE_INFINITY),
  };
}

type LoadPage = (id: AttemptId, query: PageQuery, signal: AbortSignal) => Promise<HistoryPage>;

interface Shown {
  view: HistoryView;
  isLoadingEarlier: boolean;
  error: unknown;
}

interface HistoryLoader {
  refresh(): void;
  loadEarlier(pages: number): void;
  close(): void;
}

function openHistory(
  known: HistoryView,
  load: (query: PageQuery, signal: AbortSignal) => Promise<HistoryPage>,
  { show, keep }: { show(shown: Shown): void; keep(view: HistoryView): void },
): HistoryLoader {
  const closing = new AbortController();
  let view = known;
  let isLoading = false;
  let isRefreshWanted = known.compressionId !== null;
  /** How many are still to be loaded, besides the one that is being loaded. */
  let earlierPages = 0;
  let isEarlierOnItsWay = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shownAt = 0;

  /** The next page to load: the end, then requested earlier ones. */
  function takeNext(): PageQuery | null {
    const newer = findNewerPage(view, { refresh: isRefreshWanted });
    isRefreshWanted = false;
    const earlier = newer === null && earlierPages > 0 ? findEarlierPage(view) : null;
    if (newer === null) earlierPages = earlier === null ? 0 : earlierPages - 1;
    isEarlierOnItsWay = earlier !== null;
    return newer ?? earlier;
  }

  async function loadWanted(): Promise<void> {
    if (isLoading) return;
    isLoading = true;
    try {
      for (let query = takeNext(); query !== null && !closing.signal.aborted; ) {
        view = applyHistoryPage(view, await load(query, closing.signal));
        if (closing.signal.aborted) return;
        keep(view);
        query = takeNext();
        if (query !== null && performance.now() - shownAt < showEveryMs) continue;
        show({ view, isLoadingEarlier: isEarlierOnItsWay, error: null });
        shownAt = performance.now();
      }
    } catch (error) {
      earlierPages = 0;
      isEarlierOnItsWay = false;
      if (!closing.signal.aborted) show({ view, isLoadingEarlier: false, error });
    } finally {
      isLoading = false;
    }
  }

  void loadWanted();
  return {
    refresh() {
      isRefreshWanted = true;
      if (isLoading || timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        void loadWanted();
      }, refreshAfterMs);
    },
    loadEarlier(pages) {
      if (findEarlierPage(view) === null || (isEarlierOnItsWay && pages === 1)) return;
      earlierPages = Math.max(earlierPages, pages);
      show({ view, isLoadingEarlier: true, error: null });
      void loadWanted();
    },
    close() {
      clearTimeout(timer);
      closing.abort();
    },
  };
}
