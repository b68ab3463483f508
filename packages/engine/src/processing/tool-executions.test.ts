import { conversationMessageSchema } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { executionId, progress, record, result, text, use } from "./outputs.fixture.ts";

const endedCard = {
  id: "msg_a-0-merged",
  role: "assistant",
  messageType: "tool_execution",
  content: "Called probe",
  timestamp: 1000,
  revision: 2,
  metadata: {
    executionId,
    toolName: "probe",
    toolUseId: "t1",
    input: { n: 0 },
    output: "output of msg_r1",
    isError: false,
    durationMs: 500,
    summary: { action: "call", subject: "probe", state: "completed" },
    state: "completed",
  },
};

describe("one card per tool execution", () => {
  it("[T1][T2] live: the card runs at once and ends under the same id with a higher revision", () => {
    const run = record();
    const started = run.play(use("msg_a", 0, "t1"));
    expect(started.conversation).toMatchObject([
      { id: "msg_a-0-merged", revision: 1, content: "Calling probe", metadata: { state: "running", isError: false, output: "" } },
    ]);
    expect(run.play(result("msg_r1", "t1")).conversation).toEqual([endedCard]);
    expect(run.shown()).toHaveLength(1);
    for (const step of run.steps) for (const message of step.conversation) conversationMessageSchema.parse(message);
  });

  it("[T2] output of a running tool is added to its card, and only its tail is kept", () => {
    const run = record();
    run.play(use("msg_a", 0, "t1", { toolName: "bash", input: { command: "make" } }), progress("t1", "one\n"), progress("t1", "two\n"));
    expect(run.shown()).toMatchObject([
      {
        revision: 3,
        content: "Running make",
        metadata: {
          output: "one\ntwo\n",
          details: { type: "commandOutput", data: { command: "make", stdout: "one\ntwo\n", exitCode: null } },
        },
      },
    ]);
    for (let i = 0; i < 20; i++) run.play(progress("t1", "😀".repeat(4001)));
    const [card] = run.shown();
    const output = card?.messageType === "tool_execution" ? card.metadata.output : "";
    expect(output.length).toBeLessThan(65 * 1024);
    expect(output.length).toBeGreaterThan(60 * 1024);
    expect(output.isWellFormed()).toBe(true);
    expect(output.startsWith("[… earlier output left out]\n")).toBe(true);
  });

  it("[T3] a result before its use is shown at once, then replaced by the card", () => {
    const run = record();
    run.play(result("msg_r1", "t1", { at: 900 }));
    expect(run.shown()).toMatchObject([{ id: "msg_r1", messageType: "tool_result", revision: 1 }]);
    run.play(use("msg_a", 0, "t1"));
    expect(run.shown()).toEqual([{ ...endedCard, revision: 1, metadata: { ...endedCard.metadata, durationMs: 0, replaces: ["msg_r1"] } }]);
  });

  it.each([undefined, ""])("[T4] a use or a result without an id (%o) passes through unmerged", (id) => {
    const run = record();
    run.play(use("msg_a", 0, id), result("msg_r1", id));
    expect(run.shown()).toMatchObject([
      { id: "msg_a-0", messageType: "tool_use" },
      { id: "msg_r1", messageType: "tool_result" },
    ]);
  });

  it("[T5] a use left without a result is interrupted when its execution ends", () => {
    const run = record();
    run.play(use("msg_a", 0, "t1"), progress("t1", "half"));
    run.keep(run.processor.settle({ at: 5000, reason: "The server stopped." }));
    expect(run.shown()).toMatchObject([
      { id: "msg_a-0-merged", revision: 3, metadata: { state: "interrupted", output: "half", durationMs: 4000 } },
    ]);
    expect(run.processor.settle({ at: 6000, reason: "again" })).toEqual({ conversation: [], messages: [] });
  });

  it("[T5] a use without activity times out; output, nested calls and a pending question are activity", () => {
    const run = record();
    run.play(use("msg_a", 0, "dead"), use("msg_a", 1, "young", { at: 9000 }), use("msg_a", 2, "talks"), use("msg_a", 3, "asks"));
    run.play(use("msg_a", 4, "task"), { ...progress("talks", "…"), at: 9500 });
    run.play(text("msg_s", 0, "looking", { parentToolUseId: "task", at: 9600 }));
    run.keep(run.processor.expire({ now: 10_000, timeoutMs: 5000, isWaiting: (id) => id === "asks" }));
    const states = run
      .shown()
      .flatMap(({ messageType, metadata }) => (messageType === "tool_execution" ? [`${metadata.toolUseId} ${metadata.state}`] : []));
    expect(states).toEqual(["dead timed-out", "young running", "talks running", "asks running", "task running"]);
    run.play(result("msg_r", "dead"));
    expect(run.shown()[0]).toMatchObject({ metadata: { state: "timed-out", isError: true, annotations: ["output of msg_r"] } });
  });

  it("[T6] parallel calls with results out of order end on their own cards", () => {
    const run = record();
    run.play(use("msg_a", 0, "t1"), use("msg_a", 1, "t2"), result("msg_r2", "t2"), use("msg_a", 2, "t3"), result("msg_r1", "t1"));
    expect(run.shown()).toMatchObject([
      { id: "msg_a-0-merged", metadata: { state: "completed", output: "output of msg_r1" } },
      { id: "msg_a-1-merged", metadata: { state: "completed", output: "output of msg_r2" } },
      { id: "msg_a-2-merged", metadata: { state: "running" } },
    ]);
  });

  it("[T6] the same id used twice gives two cards, the first open one gets the first result", () => {
    const run = record();
    run.play(use("msg_a", 0, "t"), use("msg_b", 0, "t"), result("msg_r1", "t"), result("msg_r2", "t"));
    expect(run.shown()).toMatchObject([
      { id: "msg_a-0-merged", metadata: { output: "output of msg_r1" } },
      { id: "msg_b-0-merged", metadata: { output: "output of msg_r2" } },
    ]);
  });

  it("[T2] a repeated use updates its card instead of creating another", () => {
    const run = record();
    run.play(use("msg_a", 0, "t", { input: null }), use("msg_a", 0, "t", { input: { n: 7 } }), result("msg_r", "t"));
    run.play(use("msg_a", 0, "t", { input: { n: 8 } }));
    expect(run.shown()).toMatchObject([{ id: "msg_a-0-merged", revision: 3, metadata: { input: { n: 7 }, state: "completed" } }]);
  });

  it.each([
    [{ isError: true }, "failed"],
    [{ isError: false }, "completed"],
    [{ isError: true, state: "denied" }, "denied"],
    [{ isError: true, state: "timed-out" }, "timed-out"],
    [{ isError: false, state: "interrupted" }, "interrupted"],
  ] as const)("[T2] a result %o ends its card as %s", (more, state) => {
    const run = record();
    run.play(use("msg_a", 0, "t"), result("msg_r", "t", more));
    expect(run.shown()).toMatchObject([{ metadata: { state, isError: state !== "completed" } }]);
  });

  it("[Q3] a result after the end becomes an annotation and changes nothing else", () => {
    const run = record();
    run.play(use("msg_a", 0, "t1"), use("msg_a", 1, "t2"), result("msg_r1", "t1"));
    run.keep(run.processor.settle({ at: 5000, reason: "" }));
    const before = run.shown();
    run.play(result("msg_r2", "t1", { isError: true }), result("msg_r3", "t2"));
    expect(run.shown()).toEqual([
      { ...before[0], revision: 3, metadata: { ...before[0]?.metadata, annotations: ["output of msg_r2"] } },
      { ...before[1], revision: 3, metadata: { ...before[1]?.metadata, annotations: ["output of msg_r3"] } },
    ]);
  });

  it("[Q3] a late result for a card that is no longer remembered is shown by itself", () => {
    const run = record();
    run.play(use("msg_a", 0, "t1"), result("msg_r1", "t1", { output: "x".repeat(20_000) }), result("msg_r2", "t1"));
    expect(run.shown()).toMatchObject([{ metadata: { state: "completed" } }, { id: "msg_r2", messageType: "tool_result" }]);
  });

  it("[T6] a subagent's tools are shown with their parent", () => {
    const run = record();
    run.play(
      use("msg_a", 0, "task"),
      text("msg_s", 0, "looking", { parentToolUseId: "task" }),
      use("msg_s", 1, "t2", { parentToolUseId: "task" }),
    );
    run.play(result("msg_r2", "t2"), result("msg_r1", "task"));
    expect(run.shown()).toMatchObject([
      { id: "msg_a-0-merged", metadata: { state: "completed" } },
      { id: "msg_s-0", content: "looking" },
      { id: "msg_s-1-merged", metadata: { state: "completed", parentToolUseId: "task" } },
    ]);
    expect(run.stored().map((draft) => draft.id)).toEqual(["msg_a", "msg_a-r0"]);
  });

  it("[Q13] an input nested 100,000 deep can still be stored", () => {
    const run = record();
    run.play(use("msg_a", 0, "t1", { input: JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`) }));
    expect(() => JSON.stringify([run.shown(), run.stored(), run.processor.snapshot()])).not.toThrow();
  });
});
