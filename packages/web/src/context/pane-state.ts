import type { AttemptId, RequestProvider } from "@skein/contracts";
import type { VirtualItem } from "@tanstack/react-virtual";
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

/** What is loaded of a history can be long: it is kept for so many attempts. */
const keptStates = 5;
const states = new Map<AttemptId, PaneState>();

/** The same object for an attempt each time, until it is one of many. */
export function getPaneState(attemptId: AttemptId): PaneState {
  const state = states.get(attemptId) ?? {
    provider: null,
    disclosures: createDisclosures(),
    showsReplaced: false,
    history: emptyHistoryView,
    scroll: null,
  };
  // the one that was used last is the last to go
  states.delete(attemptId);
  states.set(attemptId, state);
  for (const oldest of states.keys()) {
    if (states.size <= keptStates) break;
    states.delete(oldest);
  }
  return state;
}
