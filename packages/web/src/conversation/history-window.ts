import type { ConversationMessage, ConversationPage } from "@skein/contracts";
import { applyOlderPage, type ConversationView } from "@skein/engine";

/** A part of a conversation that does not reach down to its newest messages. */
export interface HistoryWindow {
  messages: readonly ConversationMessage[];
  hasOlder: boolean;
}

export function prependPage(window: HistoryWindow, page: ConversationPage): HistoryWindow {
  return { messages: without(page.messages, window.messages).concat(window.messages), hasOlder: page.hasMore };
}

export function appendPage(window: HistoryWindow, page: ConversationPage): HistoryWindow {
  return { ...window, messages: [...window.messages, ...without(page.messages, window.messages)] };
}

/**
 * Where the part meets the newest messages, both become one conversation again: everything from there on is kept current
 * by events, which a part of its own is not.
 */
export function joinWindow(view: ConversationView, window: HistoryWindow): { view: ConversationView; window: HistoryWindow | null } {
  const known = new Set(view.state.messages.map(({ id }) => id));
  if (view.attemptId === null || !window.messages.some(({ id }) => known.has(id))) return { view, window };
  const { currentExecution: _, ...state } = view.state;
  const page: ConversationPage = { ...state, messages: [...window.messages], lastSeq: view.lastSeq, hasMore: window.hasOlder };
  return { view: applyOlderPage(view, page), window: null };
}

function without(messages: readonly ConversationMessage[], known: readonly ConversationMessage[]): ConversationMessage[] {
  const ids = new Set(known.map(({ id }) => id));
  return messages.filter(({ id }) => !ids.has(id));
}
