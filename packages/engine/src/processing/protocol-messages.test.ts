import { messageBodySchema, messageIdSchema } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { formatMessages } from "../ui-messages/format-messages.ts";
import { delta, messageEnd, record, result, text, thinking, use } from "./outputs.fixture.ts";

describe("the protocol view", () => {
  it("[P2] per cycle the assistant message, then its results in call order, then the next assistant message", () => {
    const run = record();
    run.play(text("msg_a", 0, "I look"), use("msg_a", 1, "t1"), use("msg_a", 2, "t2", { rawInput: '{"n" : 2}' }), messageEnd("msg_a"));
    run.play(result("msg_r2", "t2", { isError: true }), result("msg_r1", "t1"));
    run.play(text("msg_b", 0, "Done"), messageEnd("msg_b", { model: "p/m", usage: { inputTokens: 5 } }));
    const toolResult = (toolCallId: string, n: number, of: string) => ({
      type: "tool-result",
      toolCallId,
      toolName: "probe",
      input: { n },
      result: of,
    });
    expect(run.stored()).toEqual([
      {
        id: "msg_a",
        position: 1,
        createdAt: 1000,
        body: {
          role: "assistant",
          content: "I look",
          toolCalls: [
            { id: "t1", type: "function", function: { name: "probe", arguments: '{"n":1}' } },
            { id: "t2", type: "function", function: { name: "probe", arguments: '{"n" : 2}' } },
          ],
        },
      },
      { id: "msg_a-r0", position: 2, createdAt: 1500, body: { role: "tool", content: [toolResult("t1", 1, "output of msg_r1")] } },
      {
        id: "msg_a-r1",
        position: 3,
        createdAt: 1500,
        body: { role: "tool", content: [{ ...toolResult("t2", 2, "output of msg_r2"), isError: true }] },
      },
      {
        id: "msg_b",
        position: 4,
        createdAt: 1000,
        model: "p/m",
        usage: { inputTokens: 5 },
        body: { role: "assistant", content: "Done" },
      },
    ]);
    for (const draft of run.stored()) {
      messageIdSchema.parse(draft.id);
      messageBodySchema.parse(draft.body);
    }
  });

  it("[R0] text after a tool call keeps its position: segments keep the streamed order, and the UI shows it", () => {
    const run = record();
    run.play(text("msg_a", 0, "before"), use("msg_a", 1, "t"), text("msg_a", 2, "after"), result("msg_r", "t"), messageEnd("msg_a"));
    const [draft] = run.stored();
    expect(draft?.body).toMatchObject({
      segments: [
        { type: "text", text: "before" },
        { type: "tool-call", toolCallId: "t" },
        { type: "text", text: "after" },
      ],
    });
    const shown = formatMessages(run.stored()).messages[0]?.parts.map((part) => (part.type === "text" ? part.text : part.type));
    expect(shown).toEqual(["before", "tool", "after"]);
    run.play(text("msg_b", 0, "first"), use("msg_b", 1, "u"), messageEnd("msg_b"));
    expect(run.stored().find(({ id }) => id === "msg_b")?.body).not.toHaveProperty("segments");
  });

  it("[R0] thinking and several texts are parts, with the model that made the signature", () => {
    const run = record();
    run.play(
      thinking("msg_a", 0, "hm", { signature: "sig" }),
      text("msg_a", 1, "a"),
      text("msg_a", 2, "b"),
      messageEnd("msg_a", { model: "p/m" }),
    );
    expect(run.stored()[0]?.body.content).toEqual([
      { type: "reasoning", text: "hm", signature: "sig", model: "p/m" },
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ]);
  });

  it("[P2] deltas are not sent one by one", () => {
    const run = record();
    const steps = [delta("msg_a", 0, "a"), delta("msg_a", 0, "b"), delta("msg_a", 0, "c")].map((output) => run.play(output));
    expect(steps.flatMap((step) => step.messages)).toEqual([]);
    expect(run.play(messageEnd("msg_a")).messages).toMatchObject([{ body: { content: "abc" } }]);
  });

  it("[R4] an open call gets a result which states that it may have run", () => {
    const run = record();
    run.play(use("msg_a", 0, "t1"), use("msg_a", 1, undefined));
    run.keep(run.processor.settle({ at: 5000, reason: "Stopped." }));
    expect(run.stored()).toMatchObject([
      { body: { toolCalls: [{ id: "t1" }, { id: "msg_a-1-call" }] } },
      { id: "msg_a-r0", body: { content: [{ toolCallId: "t1", isError: true, result: "Interrupted: the tool may have run. Stopped." }] } },
      { id: "msg_a-r1", body: { content: [{ toolCallId: "msg_a-1-call", isError: true }] } },
    ]);
  });

  it("[P2] blocks that arrive after their message was closed are a separate message", () => {
    const run = record();
    run.play(text("msg_a", 0, "a"), text("msg_b", 0, "b"), use("msg_a", 1, "t"), result("msg_r", "t"));
    expect(run.stored().map(({ id, position }) => [id, position])).toEqual([
      ["msg_a", 1],
      ["msg_b", 2],
      ["msg_a-c1", 3],
      ["msg_a-c1-r0", 4],
    ]);
  });

  it("[T3] a result that no use claims is shown but never sent to a model", () => {
    const run = record();
    run.play(result("msg_r", "unknown"));
    expect(run.stored()).toEqual([]);
    expect(run.shown()).toHaveLength(1);
  });
});
