import type { ConversationMessage, ConversationPage } from "@skein/contracts";
import { applyOlderPage, type ConversationView, keepNewestMessages } from "@skein/engine";

/** Maximum number of loaded messages; those further away from the view are dropped and loaded again when needed. */
export const maxHeldMessages = 1200;
/** Of the newest ones, while a part far above them is shown. */
const keptBelowWindow = 100;

/** A part of a conversation that does not reach down to its newest messages. */
export interface HistoryWindow {
  messages: readonly ConversationMessage[];
  hasOlder: boolean;
}

export function prependPage(window: HistoryWindow, page: ConversationPage): HistoryWindow {
  const messages = without(page.messages, window.messages).concat(window.messages);
  return { messages: messages.slice(0, maxHeldMessages), hasOlder: page.hasMore };
}

export function appendPage(window: HistoryWindow, page: ConversationPage): HistoryWindow {
  const messages = [...window.messages, ...without(page.messages, window.messages)];
  return { messages: messages.slice(-maxHeldMessages), hasOlder: window.hasOlder || messages.length > maxHeldMessages };
}

/** A user who reads far up sees a part of the conversation: the messages between it and the newest are dropped. */
export function detachWindow(view: ConversationView): { view: ConversationView; window: HistoryWindow | null } {
  const { messages } = view.state;
  if (messages.length <= maxHeldMessages) return { view, window: null };
  const window = { messages: messages.slice(0, maxHeldMessages - keptBelowWindow), hasOlder: view.hasMore };
  return { view: keepNewestMessages(view, keptBelowWindow), window };
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
