import type { Approval, Delivery, SkeinEvent } from "@skein/contracts";
import type { ConversationView } from "./conversation-view.ts";
import { ViewDraft } from "./view-draft.ts";

/**
 * Applies deliveries in order, as if one by one, but copies what changes only once. Returns the same view if nothing changed. While the
 * view is `loading`, deliveries are kept and applied after the first page.
 */
export function applyDeliveries(view: ConversationView, deliveries: readonly Delivery[]): ConversationView {
  const draft = new ViewDraft(view);
  const waiting: Delivery[] = [];
  for (const delivery of deliveries) {
    if (!isAbout(delivery.event, view)) continue;
    if (draft.view.phase === "loading") waiting.push(delivery);
    else applyOne(draft, delivery);
  }
  if (waiting.length > 0) draft.change({ waiting: [...draft.view.waiting, ...waiting] });
  return draft.finish();
}

function isAbout(event: SkeinEvent, view: ConversationView): boolean {
  return "taskId" in event && event.taskId === view.taskId;
}

function applyOne(draft: ViewDraft, { seq, event }: Delivery): void {
  const isKnown = seq !== undefined && seq <= draft.view.lastSeq;
  if (event.type === "message:added") {
    // A replayed message may be newer than the known one; a message that is not known was removed or is on an older page.
    if (event.attemptId === draft.view.attemptId && (!isKnown || draft.has(event.message.id))) draft.putMessage(event.message);
  } else if (!isKnown) {
    applyFact(draft, event, seq ?? draft.view.lastSeq);
  }
  if (seq !== undefined && seq > draft.view.lastSeq) draft.change({ lastSeq: seq });
}

function applyFact(draft: ViewDraft, event: Exclude<SkeinEvent, { type: "message:added" }>, seq: number): void {
  const { view, state } = draft;
  switch (event.type) {
    case "state:conversation-sync":
      if (event.state === undefined) {
        draft.change({ phase: "loading" });
        return;
      }
      if (!view.followsActive && event.state.attemptId !== view.attemptId) return;
      draft.replace(event.state, { attemptId: event.state.attemptId, hasMore: hasOlder(view, event.state.messages[0]?.id) });
      return;
    case "task:attempt-created":
      if (!event.attempt.active || event.attempt.id === view.attemptId) return;
      if (view.followsActive) draft.showAttempt(event.attempt.id, { hasMore: false });
      else draft.changeState({ canSendMessage: false });
      return;
    case "task:attempt-updated":
      if (event.updates.active === undefined) return;
      if (event.attemptId === view.attemptId) {
        if (state.canSendMessage !== event.updates.active) draft.changeState({ canSendMessage: event.updates.active });
      } else if (event.updates.active) {
        if (view.followsActive) draft.showAttempt(event.attemptId, { hasMore: false, phase: "loading", lastSeq: seq });
        else draft.changeState({ canSendMessage: false });
      }
      return;
  }
  if (!("attemptId" in event) || event.attemptId !== view.attemptId) return;
  switch (event.type) {
    case "execution:started":
      // An event that is replayed after the end carries the execution's current state.
      if (event.execution.status === "running") draft.setExecution(event.execution);
      return;
    case "execution:changed":
      if (event.execution.status === "running" && state.currentExecution?.id === event.executionId) draft.setExecution(event.execution);
      return;
    case "execution:completed":
      if (state.currentExecution?.id === event.executionId) draft.setExecution(undefined);
      return;
    case "queue:changed":
      draft.changeState({ queue: event.queue, queuePause: event.queuePause });
      return;
    case "approval:requested":
    case "approval:resolved":
      draft.changeState({ approvals: putApproval(state.approvals, event.approval) });
      return;
  }
}

/** Only pending approvals are shown. */
function putApproval(approvals: readonly Approval[], approval: Approval): Approval[] {
  const others = approvals.filter((other) => other.id !== approval.id);
  return approval.status === "pending" ? [...others, approval] : others;
}

/** A sync may contain only the newest messages: older ones exist if they did before, or if the first known one is not in it. */
function hasOlder(view: ConversationView, firstId: string | undefined): boolean {
  if (firstId === undefined) return false;
  const first = view.list.messages[0];
  return view.hasMore || first === undefined || first.id !== firstId;
}
