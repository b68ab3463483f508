import type { MessageBody } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answer, answers, anyHistory, calls, user } from "./history.fixture.ts";
import type { PairRepair } from "./pair-repair.ts";
import { RequestMessageBuilder } from "./request-message-builder.ts";
import { traceRequest } from "./trace-request.ts";

const entities = (...bodies: MessageBody[]) => bodies.map((body, index) => ({ id: `m${index}`, body }));
const empty: MessageBody = { role: "assistant", content: " " };

describe("how a request renders each message", () => {
  it("[C1] a valid history is sent as it is", () => {
    expect(traceRequest(entities(user, calls("a"), answers("a"), user), null)).toEqual({ changes: new Map(), summaryPosition: null });
  });

  it("[C1] names the messages that a summary replaces, and its position", () => {
    const messages = entities(user, calls("a"), answers("a"), user);
    const trace = traceRequest(messages, { messageIds: ["m1", "m2"], startMessageId: "m1", summary: "S" });
    expect([...trace.changes]).toEqual([
      ["m1", [{ type: "summarized" }]],
      ["m2", [{ type: "summarized" }]],
    ]);
    expect(trace.summaryPosition).toBe(1);
  });

  it("[C1] names the message of each repair", () => {
    const twice: MessageBody = { role: "tool", content: [answer("b"), answer("a")] };
    const trace = traceRequest(entities(user, answers("x"), empty, calls("a", "b"), twice, user, calls("c"), calls("a")), null);
    expect([...trace.changes]).toEqual([
      ["m2", [{ type: "dropped-invalid" }]],
      ["m1", [{ type: "dropped-result", toolCallId: "x" }]],
      ["m4", [{ type: "moved-result", toolCallId: "b" }]],
      ["m6", [{ type: "added-result", toolCallId: "c" }]],
      [
        "m7",
        [
          { type: "renamed-call", toolCallId: "a_2", from: "a" },
          { type: "added-result", toolCallId: "a_2" },
        ],
      ],
    ]);
  });

  it("[C1][R7] for every history, traces the repairs that the builder makes and reports", () => {
    fc.assert(
      fc.property(anyHistory, (bodies) => {
        const messages = bodies.map((body, id) => ({ id, body: { ...body } }));
        let made: readonly PairRepair[] = [];
        new RequestMessageBuilder({ onStep: ({ repairs }) => (made = repairs ?? made) })
          .setSystemPrompts(["P"])
          .setMessages(messages)
          .build();
        const traced = [...traceRequest(messages, null).changes.values()].flat().filter(({ type }) => type !== "dropped-invalid");
        const sorted = (list: readonly object[]) => list.map((one) => JSON.stringify(one)).toSorted();
        expect(sorted(traced)).toEqual(sorted(made));
      }),
    );
  });
});
