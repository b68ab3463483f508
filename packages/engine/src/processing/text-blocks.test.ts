import type { AgentOutput, MessageId } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { delta, executionId, messageEnd, record, result, retry, text, thinking, use } from "./outputs.fixture.ts";

describe("text and thinking", () => {
  it("[T0] deltas add up under one id with rising revisions, and streaming ends with the message", () => {
    const run = record();
    const steps = run.play(thinking("msg_a", 0, "hm", { mode: "delta" }), delta("msg_a", 1, "Hel"), delta("msg_a", 1, "lo"));
    expect(steps.conversation).toEqual([
      message("msg_a-0", "thinking", "hm", 1, { streaming: true }),
      message("msg_a-0", "thinking", "hm", 2),
      message("msg_a-1", "text", "Hel", 1, { streaming: true }),
      message("msg_a-1", "text", "Hello", 2, { streaming: true }),
    ]);
    expect(run.play(messageEnd("msg_a", { model: "m", usage: { outputTokens: 3 } })).conversation).toEqual([
      message("msg_a-1", "text", "Hello", 3, { model: "m", usage: { outputTokens: 3 } }),
    ]);
  });

  it("[T0] text stops streaming when a tool use begins", () => {
    const run = record();
    run.play(delta("msg_a", 0, "Let me look"), use("msg_a", 1, "t"));
    expect(run.shown()[0]).toEqual(message("msg_a-0", "text", "Let me look", 2));
  });

  it("[T0] a complete block replaces its deltas", () => {
    const run = record();
    run.play(delta("msg_a", 0, "Hel"), text("msg_a", 0, "Hello!"));
    expect(run.shown()).toEqual([message("msg_a-0", "text", "Hello!", 2)]);
  });

  it("[P5] text that was streaming when the execution ended is kept as interrupted", () => {
    const run = record();
    run.play(text("msg_a", 0, "done"), delta("msg_a", 1, "half"));
    run.keep(run.processor.settle({ at: 5000, reason: "killed" }));
    expect(run.shown()).toEqual([message("msg_a-0", "text", "done", 1), message("msg_a-1", "text", "half", 2, { interrupted: true })]);
    expect(run.stored()).toMatchObject([{ id: "msg_a", body: { content: [{ text: "done" }, { text: "half" }] } }]);
  });

  it("[T0] unfinished text is complete if the agent reports success, and interrupted if it failed", () => {
    for (const [status, metadata] of [
      ["success", {}],
      ["failed", { interrupted: true }],
    ] as const) {
      const run = record();
      run.play(delta("msg_a", 0, "Hello"), { type: "end", status, at: 4000 });
      run.keep(run.processor.settle({ at: 5000, reason: "" }));
      expect(run.shown()).toEqual([message("msg_a-0", "text", "Hello", 2, metadata)]);
    }
  });

  it("[T0] notices, errors and unreadable lines keep their id; an unreadable line is bounded", () => {
    const run = record();
    const base = { messageId: "msg_n" as MessageId, at: 1 };
    run.play(
      { type: "notice", text: "n", code: "c", ...base },
      { type: "notice", text: "n2", ...base },
      { type: "error", text: "e", hint: "h", at: 2, messageId: "msg_e" as MessageId },
      { type: "raw", text: "😀".repeat(5000), reason: "bad json", at: 3, messageId: "msg_x" as MessageId },
    );
    expect(run.shown()).toMatchObject([
      { id: "msg_n", messageType: "notice", content: "n2", revision: 2, metadata: { executionId } },
      { id: "msg_e", messageType: "error", content: "e", metadata: { executionId, hint: "h" } },
      { id: "msg_x", messageType: "notice", metadata: { executionId, code: "unreadable-output" } },
    ]);
    expect(run.shown()[2]?.content.length).toBeLessThan(2100);
    expect(run.shown()[2]?.content.isWellFormed()).toBe(true);
  });
});

describe("a retry", () => {
  const clean: AgentOutput[] = [
    thinking("msg_a", 0, "I think", { mode: "delta", signature: "s" }),
    delta("msg_a", 1, "Hello"),
    use("msg_a", 2, "t2"),
  ];

  it.each([0, 1, 2, 3])("[N2][Q11] after %i outputs of the first stream the final state is that of a clean run", (cut) => {
    const expected = record();
    expected.play(...clean, messageEnd("msg_a"), result("msg_r", "t2"));
    const run = record();
    run.play(...clean.slice(0, cut), retry("msg_a"), ...clean, messageEnd("msg_a"), result("msg_r", "t2"));
    expect(withoutRevisions(run.shown())).toEqual(withoutRevisions(expected.shown()));
    expect(run.stored()).toEqual(expected.stored());
  });

  it("[N2] text of the broken stream is never joined with that of the new one", () => {
    const run = record();
    run.play(delta("msg_a", 0, "first"), delta("msg_a", 1, "second"), retry("msg_a"), delta("msg_a", 0, "other"));
    expect(run.shown().map((shown) => shown.content)).toEqual(["other", ""]);
    run.play(messageEnd("msg_a"));
    expect(run.stored()).toMatchObject([{ body: { content: "other" } }]);
  });

  it("[P5] without a new stream, the shown text is kept as interrupted, and is not sent to the model again", () => {
    const run = record();
    run.play(delta("msg_a", 0, "first"), retry("msg_a"));
    run.keep(run.processor.settle({ at: 5000, reason: "" }));
    expect(run.shown()).toEqual([message("msg_a-0", "text", "first", 2, { interrupted: true })]);
    expect(run.stored()).toEqual([]);
  });

  it("[N2] a call of the broken stream that the new one does not repeat ends as interrupted, and is not part of the message", () => {
    const run = record();
    run.play(use("msg_a", 0, "t1"), retry("msg_a"), text("msg_a", 0, "no tools"), messageEnd("msg_a"));
    expect(run.shown()).toMatchObject([{ metadata: { state: "interrupted" } }, { content: "no tools" }]);
    expect(run.stored()).toMatchObject([{ id: "msg_a", body: { content: "no tools" } }]);
    expect(run.stored()[0]?.body).not.toHaveProperty("toolCalls");
  });

  it("[N2][Q11] for any stream, broken anywhere and any number of times, the final state is that of a clean run", () => {
    const block = fc.oneof(
      fc
        .array(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 })
        .map((pieces) => ({ pieces, kind: "text" as const })),
      fc.constant({ kind: "tool" as const, pieces: [""] }),
    );
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 5 }), fc.array(fc.nat(30), { maxLength: 3 }), (blocks, cuts) => {
        const stream = blocks.flatMap(({ kind, pieces }, i) =>
          pieces.map((piece) => (kind === "text" ? delta("msg_a", i, piece) : use("msg_a", i, `t${i}`))),
        );
        const rest = [messageEnd("msg_a", { model: "m" }), ...blocks.map((_, i) => result(`msg_r${i}`, `t${i}`)), text("msg_b", 0, "next")];
        const expected = record();
        expected.play(...stream, ...rest);
        const run = record();
        for (const cut of cuts) run.play(...stream.slice(0, cut % (stream.length + 1)), retry("msg_a"));
        run.play(...stream, ...rest);
        const inOrder = (messages: readonly { id: string }[]) => messages.toSorted((a, b) => a.id.localeCompare(b.id));
        expect(withoutRevisions(inOrder(run.shown()))).toEqual(withoutRevisions(inOrder(expected.shown())));
        expect(run.stored()).toEqual(expected.stored());
      }),
      { numRuns: 300 },
    );
  });

  it("[T4] a use without an id does not reuse the card of a withdrawn call", () => {
    const run = record();
    run.play(use("msg_a", 0, "t1"), retry("msg_a"), use("msg_a", 0, undefined), messageEnd("msg_a"));
    expect(run.shown()).toMatchObject([
      { id: "msg_a-0-merged", metadata: { state: "interrupted" } },
      { id: "msg_a-0-2", messageType: "tool_use" },
    ]);
  });

  it("[Q3] a call that ended before the retry keeps its end; the new use has its own card", () => {
    const run = record();
    run.play(use("msg_a", 0, "t1"), result("msg_r1", "t1"), retry("msg_a"), use("msg_a", 0, "t2"), messageEnd("msg_a"));
    expect(run.shown()).toMatchObject([
      { id: "msg_a-0-merged", metadata: { toolUseId: "t1", state: "completed" } },
      { id: "msg_a-0-2-merged", metadata: { toolUseId: "t2", state: "running" } },
    ]);
  });
});

function message(id: string, messageType: "text" | "thinking", content: string, revision: number, metadata: object = {}) {
  return { id, role: "assistant", messageType, content, timestamp: 1000, revision, metadata: { executionId, ...metadata } };
}

function withoutRevisions(messages: readonly object[]): unknown[] {
  return messages.map((message) => ({ ...message, revision: 0 }));
}
