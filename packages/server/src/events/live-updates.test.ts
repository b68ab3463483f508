import type { ConversationMessage, Delivery } from "@skein/contracts";
import { testId, testTime } from "@skein/testkit";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createEventHub } from "./event-hub.ts";
import { createLiveUpdates } from "./live-updates.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const text = (content: string, revision: number): ConversationMessage => ({
  id: "msg_1",
  role: "assistant",
  messageType: "text",
  content,
  timestamp: testTime,
  revision,
});

const growing = { canWait: true };

function setUp() {
  const sent: (string | undefined)[] = [];
  const hub = createEventHub(() => {});
  hub.subscribe(({ seq, event }: Delivery) =>
    sent.push(event.type === "message:added" && seq === undefined ? event.message.content : undefined),
  );
  return { sent, live: createLiveUpdates({ hub, taskId: testId("tsk"), attemptId: testId("att") }) };
}

test("[T2] new messages are sent at once, growing ones a few times a second with their newest revision, without a sequence number", () => {
  const { sent, live } = setUp();
  live.show([text("a", 1)], growing);
  expect(sent).toEqual(["a"]);
  live.show([text("ab", 2)], growing);
  live.show([text("abc", 3)], growing);
  expect(sent).toEqual(["a"]);
  vi.advanceTimersByTime(50);
  expect(sent).toEqual(["a", "abc"]);
  vi.advanceTimersByTime(500);
  expect(sent).toEqual(["a", "abc"]);
});

test("[T2] changes before a new message are sent before it", () => {
  const { sent, live } = setUp();
  live.show([text("a", 1)], growing);
  live.show([text("ab", 2)], growing);
  live.show([{ ...text("next", 1), id: "msg_2" }], growing);
  expect(sent).toEqual(["a", "ab", "next"]);
});

test("[E7] a late client gets the newest revision of each; committed messages are not live any more", () => {
  const { sent, live } = setUp();
  live.show([text("a", 1)], growing);
  live.show([text("ab", 2)], growing);
  expect(live.deliveries()).toMatchObject([{ event: { message: { content: "ab", revision: 2 } } }]);
  live.clear();
  vi.advanceTimersByTime(500);
  expect(live.messages()).toEqual([]);
  expect(sent).toEqual(["a"]);
});

test("[T2] a change other than growth is sent at once", () => {
  const { sent, live } = setUp();
  live.show([text("a", 1)], growing);
  live.show([text("ab", 2)], growing);
  live.show([text("abc", 3)], { canWait: false });
  expect(sent).toEqual(["a", "abc"]);
});

test("[E7] a message that changed after its commit is still live", () => {
  const { live } = setUp();
  live.show([text("a", 1), { ...text("b", 1), id: "msg_2" }], growing);
  live.show([text("aa", 2)], growing);
  live.forget([text("a", 1), { ...text("b", 1), id: "msg_2" }]);
  expect(live.messages()).toMatchObject([{ content: "aa" }]);
});
