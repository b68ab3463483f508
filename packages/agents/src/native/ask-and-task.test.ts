import { type AgentOutput, type ConversationMessage, executionIdSchema } from "@skein/contracts";
import { createMessageProcessor, ModelError } from "@skein/engine";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../tools/tool.ts";
import { buildRequest } from "./build-request.ts";
import { bodiesOf, createTurnFixture, end, text, toolCall } from "./turn-fixture.ts";

const resultsOf = (outputs: AgentOutput[]) => outputs.filter((output) => output.type === "tool-result");
const echo = defineTool({
  name: "echo",
  description: "",
  access: "command",
  schema: z.object({ text: z.string() }),
  run: async (input) => ({ output: input.text, state: "completed" }),
});

function shownOf(outputs: AgentOutput[]): ConversationMessage[] {
  const processor = createMessageProcessor({ executionId: executionIdSchema.parse("exe_1") });
  const shown = new Map<string, ConversationMessage>();
  for (const output of outputs) for (const message of processor.apply(output).conversation) shown.set(message.id, message);
  return [...shown.values()];
}

describe("ask", () => {
  const questions = [
    { question: "Which?", options: [{ label: "A" }, { label: "B", description: "b" }] },
    { header: "More", question: "What else?", options: [], multiple: true },
  ];
  const ask = () =>
    createTurnFixture({
      buildRequest,
      input: { permissionMode: "full" },
      answers: [
        [toolCall("q", "ask", { questions }), end("tool-calls")],
        [text("ok"), end()],
      ],
    });

  test("[E10] asks the user in every mode, and returns the answers to the model and the card", async () => {
    const fixture = ask();
    const running = fixture.run();
    expect(await fixture.next("approval-request")).toMatchObject({ toolUseId: "q", toolName: "ask", input: { questions } });
    const answers = { "Which?": "B", "What else?": ["x", "y"] };
    fixture.approvals.answer({ type: "approval", toolUseId: "q", decision: "allow", reason: null, answers });
    expect(await running).toBe("success");
    expect(resultsOf(fixture.outputs)).toMatchObject([
      { state: "completed", output: "Which?\n→ B\n\nWhat else?\n→ x; y", structured: { answers } },
    ]);
    expect(shownOf(fixture.outputs)[0]).toMatchObject({ metadata: { details: { type: "question", data: { answers } } } });
  });

  test("[E10] a user who declines has not answered, and the agent continues", async () => {
    const fixture = ask();
    fixture.approvals.answer({ type: "approval", toolUseId: "q", decision: "deny", reason: "decide yourself" });
    expect(await fixture.run()).toBe("success");
    const [result] = resultsOf(fixture.outputs);
    expect(result).toMatchObject({ state: "denied", output: "The user did not answer. They said: decide yourself" });
  });

  test("[N2] a stop while it waits ends the turn", async () => {
    const fixture = ask();
    const running = fixture.run();
    await fixture.next("approval-request");
    fixture.controller.abort();
    expect(await running).toBe("cancelled");
    expect(resultsOf(fixture.outputs)).toMatchObject([{ state: "interrupted" }]);
  });
});

describe("task", () => {
  const task = toolCall("t", "task", { description: "look", prompt: "Find it" });

  test("[N1] a subagent has its own conversation; only its report is returned", async () => {
    const fixture = createTurnFixture({
      buildRequest,
      tools: [echo],
      answers: [
        [task, end("tool-calls")],
        [text("looking"), toolCall("t", "echo", { text: "deep" }, 1), end("tool-calls")],
        [text("found it"), end()],
        [text("thanks"), end()],
      ],
    });
    expect(await fixture.run()).toBe("success");
    expect(bodiesOf(fixture.requests[1])).toEqual([{ role: "user", content: "Find it" }]);
    expect(fixture.requests[1]?.tools.map((tool) => tool.name)).toEqual(["echo"]);
    expect(fixture.requests[0]?.tools.map((tool) => tool.name)).toEqual(["echo", "ask", "task"]);
    expect(bodiesOf(fixture.requests[3]).at(-1)).toMatchObject({ role: "tool", content: [{ toolCallId: "t", result: "found it" }] });
    expect(fixture.outputs.at(-1)).toMatchObject({ usage: { inputTokens: 40 } });
    const shown = shownOf(fixture.outputs);
    expect(
      shown.map(({ messageType, content, metadata }) => [
        messageType,
        content,
        (metadata as { parentToolUseId?: string })?.parentToolUseId,
      ]),
    ).toEqual([
      ["tool_execution", "Ran subagent: look", undefined],
      ["text", "looking", "t"],
      ["tool_execution", "Called echo", "t"],
      ["text", "found it", "t"],
      ["text", "thanks", undefined],
    ]);
  });

  test("[N3] a subagent's calls need approval like any other", async () => {
    const fixture = createTurnFixture({
      buildRequest,
      tools: [echo],
      input: { permissionMode: "ask" },
      answers: [
        [task, end("tool-calls")],
        [toolCall("e", "echo", { text: "x" }), end("tool-calls")],
        [text("was declined"), end()],
      ],
    });
    fixture.approvals.answer({ type: "approval", toolUseId: "e", decision: "deny", reason: null });
    expect(await fixture.run()).toBe("success");
    expect(resultsOf(fixture.outputs)).toMatchObject([
      { toolUseId: "e", state: "denied" },
      { toolUseId: "t", output: "was declined" },
    ]);
  });

  test("[N2] a subagent that does not end, or whose model fails, is a failed call and does not end the turn", async () => {
    const endless = createTurnFixture({
      buildRequest,
      tools: [echo],
      limits: { subagentCycles: 2 },
      answers: [
        [task, end("tool-calls")],
        [toolCall("a", "echo", { text: "1" }), end("tool-calls")],
        [toolCall("b", "echo", { text: "2" }), end("tool-calls")],
        [text("then not"), end()],
      ],
    });
    expect(await endless.run()).toBe("success");
    expect(resultsOf(endless.outputs).at(-1)).toMatchObject({
      toolUseId: "t",
      state: "failed",
      output: expect.stringContaining("2 steps"),
    });
    const broken = createTurnFixture({
      buildRequest,
      tools: [echo],
      answers: [
        [task, end("tool-calls")],
        [toolCall("a", "echo", { text: "1" }), new ModelError("other", "no")],
        [text("then not"), end()],
      ],
    });
    expect(await broken.run()).toBe("success");
    expect(resultsOf(broken.outputs)).toMatchObject([
      { toolUseId: "a", state: "interrupted" },
      { toolUseId: "t", state: "failed", output: "The subagent failed: no" },
    ]);
  });

  test("[N2] a stop ends a subagent with its calls", async () => {
    const fixture = createTurnFixture({
      buildRequest,
      tools: [echo],
      input: { permissionMode: "ask" },
      answers: [
        [task, end("tool-calls")],
        [toolCall("a", "echo", { text: "1" }), end("tool-calls")],
      ],
    });
    const running = fixture.run();
    await fixture.next("approval-request");
    fixture.controller.abort();
    expect(await running).toBe("cancelled");
    expect(resultsOf(fixture.outputs)).toMatchObject([
      { toolUseId: "a", state: "interrupted" },
      { toolUseId: "t", state: "interrupted" },
    ]);
  });
});
