import { type AgentOutput, executionIdSchema, type MessageBody, messageIdSchema } from "@skein/contracts";
import { createMessageProcessor, type ModelEvent } from "@skein/engine";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../tools/tool.ts";
import { buildRequest } from "./build-request.ts";
import { bodiesOf, createTurnFixture, end, text, toolCall } from "./turn-fixture.ts";

const echo = defineTool({
  name: "echo",
  description: "",
  access: "read",
  schema: z.object({}),
  run: async () => ({ output: "ok", state: "completed" }),
});
const message = (id: string, content: string) => ({
  type: "message" as const,
  id: messageIdSchema.parse(id),
  text: content,
  images: [],
});
const userMessages = (outputs: AgentOutput[]) => outputs.filter((output) => output.type === "user-message");

/** The bodies that would be stored. */
function storedOf(outputs: AgentOutput[]): MessageBody[] {
  const processor = createMessageProcessor({ executionId: executionIdSchema.parse("exe_1") });
  const drafts = new Map<string, { position: number; body: MessageBody }>();
  for (const output of outputs) for (const draft of processor.apply(output).messages) drafts.set(draft.id, draft);
  return [...drafts.values()].sort((a, b) => a.position - b.position).map(({ body }) => body);
}

describe("steering", () => {
  test("[E4] a message is inserted after the results of the cycle, once, and stored at that position", async () => {
    const fixture = createTurnFixture({
      buildRequest,
      tools: [echo],
      answers: [
        [toolCall("a", "echo", {}), toolCall("b", "echo", {}, 1), end("tool-calls")],
        [text("done"), end()],
      ],
      onOutput(output) {
        if (output.type !== "tool-use") return;
        fixture.steering.add(message("msg_s1", "also this"));
        fixture.steering.add(message("msg_s1", "also this"));
      },
    });
    expect(await fixture.run()).toBe("success");
    expect(userMessages(fixture.outputs)).toMatchObject([{ messageId: "msg_s1", text: "also this" }]);
    expect(fixture.outputs.map((output) => output.type)).toEqual([
      ...["tool-use", "tool-use", "message-end", "tool-result", "tool-result", "user-message", "text", "message-end", "end"],
    ]);
    const seen = bodiesOf(fixture.requests[1]);
    expect(seen.at(-1)).toEqual({ role: "user", content: "also this" });
    expect(storedOf(fixture.outputs).slice(0, -1)).toEqual(seen.slice(1));
  });

  test("[E4] a message that arrives during the last answer starts another cycle", async () => {
    const fixture = createTurnFixture({
      buildRequest,
      answers: [
        [text("done"), end()],
        [text("and that"), end()],
      ],
      onOutput: (output) => {
        if (output.type === "message-end") fixture.steering.add(message("msg_s1", "one more"));
      },
    });
    expect(await fixture.run()).toBe("success");
    expect(fixture.requests).toHaveLength(2);
    expect(userMessages(fixture.outputs)).toHaveLength(1);
    expect(fixture.outputs.filter((output) => output.type === "end")).toHaveLength(1);
  });

  test("[E4] [N1] a command is stored as typed and sent to the model expanded", async () => {
    const fixture = createTurnFixture({
      buildRequest,
      answers: [[text("done"), end()]],
      expandMessage: async (typed) => typed.replace("/fix", "Fix it"),
      onOutput: (output) => {
        if (output.type === "message-end") fixture.steering.add(message("msg_s1", "/fix"));
      },
    });
    await fixture.run();
    expect(userMessages(fixture.outputs)).toMatchObject([{ text: "/fix" }]);
    expect(bodiesOf(fixture.requests[1]).at(-1)).toEqual({ role: "user", content: "Fix it" });
  });

  test("[E4] a stopped turn takes no message: it stays in the queue", async () => {
    const fixture = createTurnFixture({
      buildRequest,
      answers: [[text("done"), end()]],
      onOutput(output) {
        if (output.type !== "message-end") return;
        fixture.steering.add(message("msg_s1", "late"));
        fixture.controller.abort();
      },
    });
    await fixture.run();
    expect(userMessages(fixture.outputs)).toEqual([]);
  });
});

describe("limits", () => {
  test("[N3] [Q17] an output that its tool did not bound is bounded", async () => {
    const long = defineTool({
      name: "echo",
      description: "",
      access: "read",
      schema: z.object({}),
      run: async () => ({ output: `x${"😀".repeat(1_000_000)}`, state: "completed" }),
    });
    const fixture = createTurnFixture({ buildRequest, tools: [long], answers: [[toolCall("a", "echo", {}), end("tool-calls")]] });
    await fixture.run();
    const result = fixture.outputs.find((output) => output.type === "tool-result");
    expect(result?.output.length).toBeLessThan(263_000);
    expect(result?.output.isWellFormed()).toBe(true);
  });

  const costing = (usd: number, stopReason: "end" | "tool-calls"): ModelEvent => ({ type: "end", stopReason, usage: { costUsd: usd } });

  test("[N2] over its cost limit an execution is interrupted with a reason, after the results of the cycle", async () => {
    const call = (id: string) => [toolCall(id, "echo", {}), costing(0.4, "tool-calls")];
    const fixture = createTurnFixture({
      buildRequest,
      tools: [echo],
      input: { maxCostUsd: 0.7 },
      answers: [call("a"), call("b"), call("c")],
    });
    expect(await fixture.run()).toBe("interrupted");
    expect(fixture.requests).toHaveLength(2);
    expect(fixture.outputs.slice(-2)).toMatchObject([
      { type: "tool-result", toolUseId: "b" },
      { type: "end", status: "interrupted", code: "cost-limit", reason: { code: "cost-limit", spentUsd: 0.8 }, usage: { costUsd: 0.8 } },
    ]);
  });

  test("[N2] a finished answer is not a failure, whatever it cost", async () => {
    const fixture = createTurnFixture({ buildRequest, input: { maxCostUsd: 0.1 }, answers: [[text("done"), costing(5, "end")]] });
    expect(await fixture.run()).toBe("success");
  });

  test("processes that tools left running are ended before the end is reported", async () => {
    const fixture = createTurnFixture({
      buildRequest,
      answers: [[text("done"), end()]],
      release: async () => {
        expect(fixture.outputs.some((output) => output.type === "end")).toBe(false);
        return { code: "background-commands-ended", commands: ["x"] };
      },
    });
    await fixture.run();
    expect(fixture.outputs.slice(-2)).toMatchObject([
      { type: "notice", code: "jobs-ended", text: { code: "background-commands-ended", commands: ["x"] } },
      { type: "end" },
    ]);
  });
});
