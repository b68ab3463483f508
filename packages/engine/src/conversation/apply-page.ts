import type { ConversationMessage, ConversationPage } from "@skein/contracts";
import { applyDeliveries } from "./apply-deliveries.ts";
import type { ConversationView } from "./conversation-view.ts";
import { findMessage, toMessageList } from "./message-list.ts";
import { ViewDraft } from "./view-draft.ts";

/**
 * Applies the newest page, then the deliveries that arrived in the meantime. A page that is older than what is known, or of an attempt
 * that is not shown, changes nothing.
 */
export function applyPage(view: ConversationView, page: ConversationPage): ConversationView {
  if (page.lastSeq < view.lastSeq) return view;
  if (!view.followsActive && page.attemptId !== view.attemptId) return view;
  const { lastSeq, hasMore, ...state } = page;
  const kept = page.attemptId === view.attemptId ? messagesBefore(view, state.messages[0]) : undefined;
  const draft = new ViewDraft(view);
  draft.replace(kept === undefined ? state : { ...state, messages: [...kept, ...state.messages] }, {
    attemptId: page.attemptId,
    phase: "ready",
    hasMore: kept === undefined ? hasMore : view.hasMore,
    lastSeq,
    waiting: [],
    ...(kept === undefined ? {} : { older: view.older }),
  });
  if (page.attemptId === view.attemptId)
    for (const message of view.list.messages) if (isNewer(message, draft, page)) draft.putMessage(message);
  return applyDeliveries(draft.finish(), view.waiting);
}

/** Adds the messages of an older page before the first known one. */
export function applyOlderPage(view: ConversationView, page: ConversationPage): ConversationView {
  if (view.phase !== "ready" || page.attemptId !== view.attemptId) return view;
  const { list, older } = view;
  const unknown = page.messages.filter((message) => !list.replaced.has(message.id) && findMessage(list, message.id) === undefined);
  const found = unknown.map((message) => newest(message, older.get(message.id)));
  const next = toMessageList([...found, ...list.messages]);
  return {
    ...view,
    hasMore: page.hasMore,
    list: { ...next, replaced: new Set([...list.replaced, ...next.replaced]) },
    state: { ...view.state, messages: next.messages as ConversationMessage[] },
    older: new Map([...older].filter(([id]) => findMessage(next, id) === undefined)),
  };
}

/** Drops all but the newest `count` messages; a page brings the others back. Returns the same view if there are no more. */
export function keepNewestMessages(view: ConversationView, count: number): ConversationView {
  const { messages } = view.list;
  if (messages.length <= count) return view;
  const list = toMessageList(messages.slice(-count));
  return { ...view, hasMore: true, list, state: { ...view.state, messages: list.messages as ConversationMessage[] } };
}

/** The messages before the page's first one; undefined if the page does not connect. */
function messagesBefore(view: ConversationView, first: ConversationMessage | undefined): readonly ConversationMessage[] | undefined {
  if (first === undefined || view.phase !== "ready" || findMessage(view.list, first.id) === undefined) return undefined;
  return view.list.messages.slice(
    0,
    view.list.messages.findIndex((message) => message.id === first.id),
  );
}

/** Live messages may be newer than the page: those of its running execution. */
function isNewer(message: ConversationMessage, draft: ViewDraft, page: ConversationPage): boolean {
  const known = draft.view.list.messages.length > 0 ? findMessage(draft.view.list, message.id) : undefined;
  if (known !== undefined) return known.revision < message.revision;
  const executionId = message.metadata?.executionId;
  return executionId !== undefined && executionId === page.currentExecution?.id;
}

function newest(message: ConversationMessage, other: ConversationMessage | undefined): ConversationMessage {
  return other !== undefined && other.revision > message.revision ? other : message;
}
