import type { AttemptId, ConversationMessage, TaskId } from "@skein/contracts";
import fc from "fast-check";
import { expect, it } from "vitest";
import { GrowingMessages, type MessageAdded } from "./message-growth.ts";

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

it("[Q12] what is put together from what was added is the message that was sent, whatever it becomes and wherever the connection breaks", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let [server, client] = [new GrowingMessages(), new GrowingMessages()];
      const current = new Map<string, ConversationMessage>();
      for (const { id, attemptId, change } of steps) {
        if ("reconnect" in change) {
          [server, client] = [new GrowingMessages(), new GrowingMessages()];
          continue;
        }
        const before = current.get(`${attemptId} ${id}`);
        const content = "replace" in change ? change.replace : (before?.content ?? "") + ("append" in change ? change.append : "");
        const metadata = "end" in change ? { usage: { inputTokens: 1 } } : { streaming: true };
        const event = toEvent(text(id, (before?.revision ?? 0) + 1, content, metadata), attemptId);
        current.set(`${attemptId} ${id}`, event.message);
        const growth = server.toGrowth(event);
        server.note(event);
        // over the wire
        const received = growth === undefined ? event : client.apply(JSON.parse(JSON.stringify(growth)));
        expect(received).toEqual(event);
        if (received !== undefined) client.note(received);
      }
    }),
  );
});

it("a text that grows is sent as what was added, and its end with everything else that came with it", () => {
  const server = new GrowingMessages();
  server.note(toEvent(text("a", 1, "one")));
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

it("a client that knows another revision does not guess", () => {
  const [server, client] = [new GrowingMessages(), new GrowingMessages()];
  server.note(toEvent(text("a", 2, "one")));
  const growth = server.toGrowth(toEvent(text("a", 3, "one two")));
  client.note(toEvent(text("a", 1, "on")));
  expect(growth && client.apply(growth)).toBeUndefined();
});
