import type { AttemptId, ConversationMessage, ConversationPage, Delivery } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { applyDeliveries } from "./apply-deliveries.ts";
import { applyOlderPage, applyPage } from "./apply-page.ts";
import { type ConversationView, createConversationView } from "./conversation-view.ts";
import { cardMessage, taskId, textMessage } from "./server-model.fixture.ts";

const applyDelivery = (view: ConversationView, delivery: Delivery) => applyDeliveries(view, [delivery]);

const attemptId = "att_1" as AttemptId;

function pageOf(messages: ConversationMessage[], more: Partial<ConversationPage> = {}): ConversationPage {
  return {
    messages,
    isExecuting: false,
    canSendMessage: true,
    attemptId,
    queue: [],
    queuePause: null,
    approvals: [],
    lastSeq: 10,
    hasMore: false,
    ...more,
  };
}

function added(message: ConversationMessage, more: { seq?: number; attemptId?: AttemptId } = {}): Delivery {
  const { seq, ...origin } = more;
  return { ...(seq === undefined ? {} : { seq }), event: { type: "message:added", taskId, attemptId, ...origin, message } };
}

function ready(messages: ConversationMessage[], more: Partial<ConversationPage> = {}): ConversationView {
  return applyPage(createConversationView({ taskId }), pageOf(messages, more));
}

const ids = (view: ConversationView) => view.state.messages.map((message) => message.id);
const [a, b, c] = [textMessage("a", 1, 1), textMessage("b", 2, 1), textMessage("c", 3, 1)];

describe("a conversation view", () => {
  it("[E7] messages that arrive while the first page loads are applied after it", () => {
    let view = createConversationView({ taskId });
    view = applyDelivery(view, added(textMessage("b", 2, 3), { seq: 9 }));
    view = applyDelivery(view, added(c, { seq: 11 }));
    expect(view.state.messages).toEqual([]);
    view = applyPage(view, pageOf([a, textMessage("b", 2, 4)]));
    expect(view.state.messages).toEqual([a, textMessage("b", 2, 4), c]);
  });

  it("[E7] duplicates are dropped by id and revision, and nothing new gives the same view", () => {
    const view = ready([a, textMessage("b", 2, 5)]);
    expect(applyDeliveries(view, [added(b), added(textMessage("b", 2, 5)), added(a)])).toBe(view);
    const grown = applyDelivery(view, added(textMessage("b", 2, 6)));
    expect(grown.state.messages[1]?.revision).toBe(6);
    expect(grown.state.messages[0]).toBe(view.state.messages[0]);
  });

  it("[T3] a card replaces a result permanently", () => {
    const card = cardMessage("card", 4, ["b"]);
    const view = applyDelivery(ready([a, b, c]), added(card));
    expect(ids(view)).toEqual(["a", "card", "c"]);
    expect(applyDelivery(view, added(textMessage("b", 2, 9)))).toBe(view);
    expect(ids(applyDelivery(view, added({ ...card, revision: 2 })))).toEqual(["a", "card", "c"]);
    expect(ids(ready([a, b, card]))).toEqual(["a", "card"]);
  });

  it("[E1] messages of another attempt are not shown", () => {
    const view = ready([a]);
    expect(applyDelivery(view, added(b, { attemptId: "att_2" as AttemptId }))).toBe(view);
  });

  it("[E7] a view of a chosen attempt stays with it when another becomes active", () => {
    const chosen = applyPage(createConversationView({ taskId, attemptId }), pageOf([a]));
    const event = { type: "task:attempt-updated", taskId, attemptId: "att_2" as AttemptId, updates: { active: true } } as const;
    const after = applyDelivery(chosen, { seq: 11, event });
    expect([after.phase, after.attemptId, after.state.canSendMessage, ids(after)]).toEqual(["ready", attemptId, false, ["a"]]);
    const following = applyDelivery(ready([a]), { seq: 11, event });
    expect([following.phase, following.attemptId, ids(following)]).toEqual(["loading", "att_2", []]);
    expect(applyPage(following, pageOf([a])).phase, "a page read before the switch").toBe("loading");
  });

  it("[E7] older pages are prepended", () => {
    const view = ready([c], { hasMore: true });
    const all = applyOlderPage(view, pageOf([a, b, c], { hasMore: false }));
    expect(ids(all)).toEqual(["a", "b", "c"]);
    expect(all.hasMore).toBe(false);
    expect(ids(applyDelivery(all, added(textMessage("a", 1, 2))))).toEqual(["a", "b", "c"]);
  });

  it("[E7] an update of a message on a page that is not loaded waits for that page", () => {
    let view = applyDelivery(ready([c], { hasMore: true }), added(textMessage("a", 1, 7)));
    expect(ids(view)).toEqual(["c"]);
    view = applyOlderPage(view, pageOf([a, b]));
    expect(view.state.messages.map(({ id, revision }) => [id, revision])).toEqual([
      ["a", 7],
      ["b", 1],
      ["c", 1],
    ]);
  });

  it("[E6] a newer page of the same conversation keeps the older messages that were loaded", () => {
    const view = applyOlderPage(ready([b], { hasMore: true }), pageOf([a], { hasMore: false }));
    const reloaded = applyPage(view, pageOf([b, c], { lastSeq: 20, hasMore: true }));
    expect(ids(reloaded)).toEqual(["a", "b", "c"]);
    expect(reloaded.hasMore).toBe(false);
    expect(applyPage(reloaded, pageOf([b], { lastSeq: 15 }))).toBe(reloaded);
  });

  it("[E7] views derived from the same view do not affect each other", () => {
    const start = ready([a]);
    const left = applyDeliveries(start, [added(b)]);
    const right = applyDeliveries(start, [added(c), added(b)]);
    expect(ids(applyDeliveries(left, [added(c), added(textMessage("b", 2, 2))]))).toEqual(["a", "b", "c"]);
    expect(ids(applyDeliveries(right, [added(textMessage("b", 2, 2)), added(textMessage("c", 3, 2))]))).toEqual(["a", "c", "b"]);
    expect(ids(start)).toEqual(["a"]);
  });
});
