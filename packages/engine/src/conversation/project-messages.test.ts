import { type ConversationMessage, conversationMessageSchema, type ExecutionId } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { progress, record, result, text as say, use } from "../processing/outputs.fixture.ts";
import { projectMessage, projectMessages, toCardId } from "./project-messages.ts";

const tool = (id: string, timestamp: number, changes: object): ConversationMessage =>
  conversationMessageSchema.parse({
    id: `${id}-merged`,
    role: "assistant",
    messageType: "tool_execution",
    content: `Ran ${id}`,
    timestamp,
    revision: 2,
    metadata: { toolName: "bash", toolUseId: id, input: { id }, output: `out ${id}`, summary: "", isError: false, ...changes },
  });
const text = (id: string, timestamp: number, role = "assistant"): ConversationMessage =>
  conversationMessageSchema.parse({ id, role, messageType: "text", content: id, timestamp, revision: 1 });

const history = [
  text("u", 0, "user"),
  tool("slow", 10, { state: "completed", durationMs: 50 }),
  tool("fast", 11, { state: "failed", isError: true, durationMs: 5 }),
  text("t", 40),
  tool("open", 70, { state: "running" }),
];

describe("[T2] merge modes", () => {
  it("live shows everything as it is stored", () => expect(projectMessages(history, "live")).toBe(history));

  it("on-complete shows nothing of a tool until its result is there", () => {
    expect(projectMessages(history, "on-complete").map(({ id }) => id)).toEqual(["u", "slow-merged", "fast-merged", "t"]);
  });

  it("off shows each use, and each result where it arrived", () => {
    const shown = projectMessages(history, "off");
    expect(shown.map(({ id, messageType }) => [id, messageType])).toEqual([
      ["u", "text"],
      ["slow", "tool_use"],
      ["fast", "tool_use"],
      ["fast-result", "tool_result"],
      ["t", "text"],
      ["slow-result", "tool_result"],
      ["open", "tool_use"],
    ]);
    expect(shown[3]).toMatchObject({
      content: "out fast",
      timestamp: 16,
      metadata: { toolUseId: "fast", isError: true, toolName: "bash", state: "failed", durationMs: 5 },
    });
  });

  it("[T8] off keeps what the card alone had: that it was interrupted, late results, the download, the subagent, a failed processor", () => {
    const card = tool("t", 10, {
      executionId: "exe_1" as ExecutionId,
      state: "interrupted",
      isError: true,
      durationMs: 30,
      output: "half",
      outputFile: "all.txt",
      parentToolUseId: "task",
      annotations: ["late one", "late two"],
      processorFailure: { file: "mine.js", reason: "it threw" },
    });
    const shown = projectMessage(card, "off");
    for (const message of shown) conversationMessageSchema.parse(message);
    expect(shown).toMatchObject([
      { id: "t", messageType: "tool_use", metadata: { parentToolUseId: "task", input: { id: "t" } } },
      {
        id: "t-result",
        content: "half\n\nInterrupted: the tool may have run.",
        timestamp: 40,
        metadata: { executionId: "exe_1", state: "interrupted", output: "half", outputFile: "all.txt", parentToolUseId: "task" },
      },
      { id: "t-late-1", content: "late one", metadata: { isLate: true } },
      { id: "t-late-2", content: "late two" },
    ]);
    expect(shown[1]?.metadata).toMatchObject({ processorFailure: { file: "mine.js", reason: "it threw" } });
    expect(shown.slice(0, 3).map(({ id }) => toCardId(id))).toEqual(["t-merged", "t-merged", "t-merged"]);
  });

  it("off shows a result that came before its use under the id that it had", () => {
    const run = record();
    const [early] = run.play(result("msg_r1", "t1", { at: 900 })).conversation;
    run.play(use("msg_a", 0, "t1"));
    const shown = run.shown().flatMap((message) => projectMessage(message, "off"));
    expect(shown).toMatchObject([{ id: "msg_a-0" }, { id: early?.id, content: early?.content }]);
  });

  it("loses nothing in any mode, and changing the mode at any moment gives what that mode would have shown", () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("use" as const), id: fc.nat(5) }),
      fc.record({ kind: fc.constant("progress" as const), id: fc.nat(5) }),
      fc.record({ kind: fc.constant("result" as const), id: fc.nat(5) }),
      fc.record({ kind: fc.constant("say" as const), id: fc.nat(5) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const run = record();
        const said: string[] = [];
        steps.forEach(({ kind, id }, serial) => {
          const at = 1000 + serial;
          if (kind === "use") run.play(use(`msg_${serial}`, 0, `t${id}`, { at }));
          else if (kind === "progress") run.play(progress(`t${id}`, `p${serial}`));
          else if (kind === "result") run.play(result(`msg_r${serial}`, `t${id}`, { at, output: `out ${serial}.` }));
          else run.play(say(`msg_s${serial}`, 0, `said ${serial}.`, { at }));
          if (kind === "result") said.push(`out ${serial}.`);
          if (kind === "say") said.push(`said ${serial}.`);
        });
        run.keep(run.processor.settle({ at: 9000, reason: "" }));
        const shown = run.shown();
        for (const mode of ["live", "on-complete", "off"] as const) {
          const projected = projectMessages(shown, mode);
          expect(new Set(projected.map(({ id }) => id)).size).toBe(projected.length);
          for (const message of projected) conversationMessageSchema.parse(message);
          const words = JSON.stringify(projected);
          for (const one of said) expect(words).toContain(one);
          // message by message, as a stream sends them, it is the same set
          expect(new Set(shown.flatMap((message) => projectMessage(message, mode)))).toEqual(new Set(projected));
        }
      }),
      { numRuns: 200 },
    );
  });
});
