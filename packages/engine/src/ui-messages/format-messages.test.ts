import type { MessageBody } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answer, answers, anyHistory, calls, user } from "../request/history.fixture.ts";
import { formatMessages, handleMessage } from "./format-messages.ts";
import { emptyUIConversation, type UIConversation, type UIToolPart } from "./ui-message.ts";

function format(...bodies: MessageBody[]): UIConversation {
  return formatMessages(bodies.map((body, id) => ({ id, body })));
}

function toolParts({ messages }: UIConversation): UIToolPart[] {
  return messages.flatMap((message) => message.parts.filter((part) => part.type === "tool"));
}

const used = (id: string) => ({ type: "tool", id, name: "probe", input: {}, state: "tool_use" });
const answered = (id: string) => ({ ...used(id), state: "tool_result", result: `result of ${id}`, isError: false });

describe("UI messages", () => {
  it("[U2] a call is a tool part, and its result changes that part, wherever it is", () => {
    const before = format(calls("a", "b"), user);
    expect(toolParts(before)).toEqual([used("a"), used("b")]);
    const after = handleMessage(before, { id: 2, body: answers("b") });
    expect(toolParts(after)).toEqual([used("a"), answered("b")]);
    expect(after.messages).toHaveLength(2);
    expect(toolParts(before), "the state before is unchanged").toEqual([used("a"), used("b")]);
    expect(after.messages[1], "messages that did not change are shared").toBe(before.messages[1]);
  });

  it("[U2] one tool message may hold several results", () => {
    expect(toolParts(format(calls("a", "b", "c"), answers("c", "a")))).toEqual([answered("a"), used("b"), answered("c")]);
  });

  it("[U2] a result with an error flag", () => {
    const failed: MessageBody = { role: "tool", content: [{ ...answer("a"), isError: true }] };
    expect(toolParts(format(calls("a"), failed))).toMatchObject([{ isError: true }]);
  });

  it("[U4] a result without a call, and a second one, are shown by themselves and reported", () => {
    const view = format(answers("x"), calls("a"), answers("a", "a"));
    expect(view.messages.map(({ role }) => role)).toEqual(["tool", "assistant", "tool"]);
    expect(toolParts(view)).toEqual([answered("x"), answered("a"), answered("a")]);
    expect(view.reports.map(({ toolCallId }) => toolCallId)).toEqual(["x", "a"]);
  });

  it("[U2][T3] a result that came before its call moves to it", () => {
    const view = format(answers("a", "x", "b"), calls("a"), calls("b", "c"), answers("c"));
    expect(toolParts(view)).toEqual([answered("x"), answered("a"), answered("b"), answered("c")]);
    expect(view.reports).toEqual([{ type: "unmatched-result", messageId: 0, toolCallId: "x" }]);
    expect(format(answers("a"), calls("a")).messages).toHaveLength(1);
  });

  it("[U1] tool results in a user message are converted at the edge", () => {
    const view = formatMessages([
      { id: 1, body: calls("a") },
      { id: 2, body: { role: "user", content: [{ type: "tool_result", id: "a", name: "probe", input: {}, result: "result of a" }] } },
    ]);
    expect(toolParts(view)).toEqual([answered("a")]);
    expect(view.messages).toHaveLength(1);
  });

  it("[R0] a streamed message is shown in the order in which it was streamed", () => {
    const view = format({
      role: "assistant",
      content: "before after",
      toolCalls: [{ id: "a", type: "function", function: { name: "probe", arguments: "{}" } }],
      segments: [
        { type: "text", text: "before" },
        { type: "tool-call", toolCallId: "a" },
        { type: "text", text: "after" },
      ],
    });
    expect(view.messages[0]?.parts).toEqual([{ type: "text", text: "before" }, used("a"), { type: "text", text: "after" }]);
  });

  it("[U2] a history that is loaded in pages equals the whole, wherever it is cut", () => {
    fc.assert(
      fc.property(anyHistory, fc.nat(20), (bodies, cut) => {
        const messages = bodies.map((body, id) => ({ id, body }));
        const first = formatMessages(messages.slice(0, cut));
        expect(formatMessages(messages.slice(cut), first)).toEqual(formatMessages(messages));
      }),
    );
  });

  it("[U3] folding live messages equals formatting the whole history, for every prefix", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        let state = emptyUIConversation;
        history.forEach((body, id) => {
          const before = JSON.stringify(state.messages);
          const next = handleMessage(state, { id, body });
          expect(JSON.stringify(state.messages), "the state before was changed").toBe(before);
          state = next;
          expect(state).toEqual(format(...history.slice(0, id + 1)));
        });
      }),
      { numRuns: 300 },
    );
  });

  it("[U4] nothing is hidden: every call, every text and every result is shown once", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const view = format(...history);
        const results = history.flatMap((body) => (body.role === "tool" ? body.content.map((part) => part.result) : []));
        const shown = toolParts(view).flatMap((part) => (part.state === "tool_result" ? [part.result] : []));
        expect(shown.toSorted()).toEqual(results.toSorted());
        const made = history.flatMap((body) => (body.role === "assistant" ? (body.toolCalls ?? []) : []));
        const inAssistant = view.messages
          .filter(({ role }) => role === "assistant")
          .flatMap(({ parts }) => parts.filter((part) => part.type === "tool"));
        expect(inAssistant.map(({ id }) => id)).toEqual(made.map(({ id }) => id));
      }),
      { numRuns: 500 },
    );
  });
});
