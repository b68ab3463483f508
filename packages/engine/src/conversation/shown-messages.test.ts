import type { AttemptId, ConversationMessage, TaskId } from "@skein/contracts";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type MessageAdded, ShownMessages } from "./shown-messages.ts";

const toEvent = (message: ConversationMessage, attemptId = "att_1"): MessageAdded => ({
  type: "message:added",
  taskId: "tsk_1" as TaskId,
  attemptId: attemptId as AttemptId,
  message,
});
const text = (id: string, revision: number, content: string, metadata: object = { streaming: true }): ConversationMessage =>
  ({ id, role: "assistant", messageType: "text", content, timestamp: 1, revision, metadata }) as ConversationMessage;

const step = fc.record({
  id: fc.constantFrom("a", "b"),
  attemptId: fc.constantFrom("att_1", "att_2"),
  change: fc.oneof(
    { weight: 6, arbitrary: fc.record({ append: fc.string({ unit: "binary", maxLength: 8 }) }) },
    { weight: 1, arbitrary: fc.record({ replace: fc.string({ unit: "binary", maxLength: 8 }) }) },
    { weight: 1, arbitrary: fc.constant({ end: true as const }) },
    { weight: 1, arbitrary: fc.constant({ reconnect: true as const }) },
  ),
});

it("[Q12] a message assembled from increments equals the one sent, whatever it becomes and wherever the connection breaks", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let [server, client] = [new ShownMessages(), new ShownMessages()];
      const current = new Map<string, ConversationMessage>();
      for (const { id, attemptId, change } of steps) {
        if ("reconnect" in change) {
          [server, client] = [new ShownMessages(), new ShownMessages()];
          continue;
        }
        const before = current.get(`${attemptId} ${id}`);
        const content = "replace" in change ? change.replace : (before?.content ?? "") + ("append" in change ? change.append : "");
        const metadata = "end" in change ? { usage: { inputTokens: 1 } } : { streaming: true };
        const event = toEvent(text(id, (before?.revision ?? 0) + 1, content, metadata), attemptId);
        current.set(`${attemptId} ${id}`, event.message);
        const growth = server.toGrowth(event);
        server.add({ event });
        // over the wire
        const received = growth === undefined ? event : client.fromGrowth(JSON.parse(JSON.stringify(growth)));
        expect(received).toEqual(event);
        if (received !== undefined) client.add({ event: received });
      }
    }),
  );
});

it("a growing text is sent as increments, and its end with all other changes", () => {
  const server = new ShownMessages();
  server.add({ event: toEvent(text("a", 1, "one")) });
  expect(server.toGrowth(toEvent(text("a", 3, "one two", { model: "m" })))).toEqual({
    taskId: "tsk_1",
    attemptId: "att_1",
    from: 1,
    append: " two",
    message: { id: "a", role: "assistant", messageType: "text", timestamp: 1, revision: 3, metadata: { model: "m" } },
  });
  expect(server.toGrowth(toEvent(text("a", 3, "another")))).toBeUndefined();
  expect(server.toGrowth(toEvent(text("a", 1, "one more")))).toBeUndefined();
});

it("a client with another revision does not apply an increment", () => {
  const [server, client] = [new ShownMessages(), new ShownMessages()];
  server.add({ event: toEvent(text("a", 2, "one")) });
  const growth = server.toGrowth(toEvent(text("a", 3, "one two")));
  client.add({ event: toEvent(text("a", 1, "on")) });
  expect(growth && client.fromGrowth(growth)).toBeUndefined();
});

it("[E6] a commit is recognised by attempt, id and revision: what was shown, or something newer", () => {
  const shown = new ShownMessages();
  const reference = (revision: number, attemptId = "att_1") => ({ attemptId: attemptId as AttemptId, messageId: "a", revision });
  shown.add({ event: toEvent(text("a", 1, "one")) });
  shown.add({ event: toEvent(text("a", 2, "two")) });
  expect(shown.takeCommitted(reference(1, "att_2"))).toBeUndefined();
  expect(shown.takeCommitted(reference(1))).toEqual(toEvent(text("a", 2, "two")));
  expect(shown.takeCommitted(reference(3))).toBeUndefined();
  expect(shown.takeCommitted(reference(2))).toEqual(toEvent(text("a", 2, "two")));
  expect(shown.takeCommitted(reference(2))).toBeUndefined();
});
