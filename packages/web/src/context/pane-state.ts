import type { AttemptId, RequestProvider } from "@skein/contracts";
import type { VirtualItem } from "@tanstack/react-virtual";
import { LruMap } from "../state/lru-map.ts";
import { createDisclosures, type Disclosures } from "../ui/disclosure.tsx";
import { emptyHistoryView, type HistoryView } from "./history-view.ts";

/** How the pane of an attempt was left: another tab of the side pane, or another task, does not change it. */
export interface PaneState {
  /** In whose format the next request is shown; null: the one of the attempt's model. */
  provider: RequestProvider | null;
  /** Rows and sections that are open. */
  readonly disclosures: Disclosures;
  showsReplaced: boolean;
  history: HistoryView;
  /** Where the list was scrolled to, with the heights of its rows; null: at its end. */
  scroll: { top: number; measured: VirtualItem[] } | null;
}

/** Few, because a loaded history can be long. */
const states = new LruMap<AttemptId, PaneState>({ max: 5 });

/** The same object for an attempt at each call, for as long as it is one of the last few. */
export function getPaneState(attemptId: AttemptId): PaneState {
  const state = states.get(attemptId) ?? {
    provider: null,
    disclosures: createDisclosures(),
    showsReplaced: false,
    history: emptyHistoryView,
    scroll: null,
  };
  states.set(attemptId, state);
  return state;
}
