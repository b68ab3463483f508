import { setTimeout as delay } from "node:timers/promises";
import {
  type AgentOutput,
  type AssistantMessage,
  agentOutputSchema,
  executionIdSchema,
  type MessageBody,
  type MessageEntity,
} from "@skein/contracts";
import { createMessageProcessor, formatText, ModelError } from "@skein/engine";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool, type NativeTool } from "../tools/tool.ts";
import { buildRequest } from "./build-request.ts";
import { type Answer, bodiesOf, createTurnFixture, end, text, toolCall } from "./turn-fixture.ts";

const echo = defineTool({
  name: "echo",
  description: "Gives back its text",
  access: "read",
  schema: z.strictObject({ text: z.string() }),
  run: async (input) => ({ output: input.text, state: "completed" }),
});

const resultsOf = (outputs: AgentOutput[]) => outputs.filter((output) => output.type === "tool-result");
const typesOf = (outputs: AgentOutput[]) => outputs.map((output) => output.type);

const hasMoreThanThoughts = ({ content, toolCalls }: AssistantMessage) =>
  toolCalls !== undefined || typeof content === "string" || content.some((part) => part.type === "text");

/** What the server would store of these records. */
function storedOf(outputs: AgentOutput[]): MessageEntity[] {
  const processor = createMessageProcessor({ executionId: executionIdSchema.parse("exe_1") });
  const drafts = new Map<string, { position: number; body: MessageBody }>();
  for (const output of outputs) for (const draft of processor.apply(output).messages) drafts.set(draft.id, draft);
  for (const draft of processor.settle({ at: 0, reason: "" }).messages) drafts.set(draft.id, draft);
  return [...drafts].sort(([, a], [, b]) => a.position - b.position).map(([id, { body }]) => ({ id, body }));
}

describe("saving a turn: the three scenarios", () => {
  test("[P6] a new conversation without tools: user, assistant", async () => {
    const fixture = createTurnFixture({ buildRequest, answers: [[text("Hel"), text("lo"), end()]] });
    expect(await fixture.run()).toBe("success");
    expect(typesOf(fixture.outputs)).toEqual(["text", "message-end", "end"]);
    expect(bodiesOf(fixture.requests[0])).toEqual([{ role: "user", content: "go" }]);
    expect(storedOf(fixture.outputs).map(({ body }) => body)).toEqual([{ role: "assistant", content: "Hello" }]);
  });

  test("[P2] [P3] [P6] a new conversation with tools: per cycle the assistant, then its results in call order", async () => {
    const calls = [toolCall("a", "echo", { text: "1" }, 1), toolCall("b", "echo", { text: "2" }, 2)];
    const fixture = createTurnFixture({
      buildRequest,
      tools: [echo],
      answers: [
        [text("look"), ...calls, end("tool-calls")],
        [text("done"), end()],
      ],
    });
    expect(await fixture.run()).toBe("success");
    const stored = storedOf(fixture.outputs).map(({ body }) => body);
    expect(stored.map((body) => body.role)).toEqual(["assistant", "tool", "tool", "assistant"]);
    expect(stored.flatMap((body) => (body.role === "tool" ? body.content.map((part) => [part.toolCallId, part.result]) : []))).toEqual([
      ["a", "1"],
      ["b", "2"],
    ]);
    // The second request was built from memory and equals what will be stored.
    expect(bodiesOf(fixture.requests[1])).toEqual([{ role: "user", content: "go" }, ...stored.slice(0, 3)]);
    expect(fixture.outputs.at(-1)).toMatchObject({ type: "end", status: "success", usage: { inputTokens: 20, outputTokens: 4 } });
  });

  test("[P6] [Q9] a continued conversation begins with the bytes of the earlier requests", async () => {
    const answers: Answer[] = [
      [toolCall("a", "echo", { text: "1" }), end("tool-calls")],
      [text("done"), end()],
    ];
    const first = createTurnFixture({ buildRequest, tools: [echo], answers });
    await first.run();
    const history: MessageEntity[] = [{ id: "u", body: { role: "user", content: "go" } }, ...storedOf(first.outputs)];
    const second = createTurnFixture({ buildRequest, tools: [echo], answers, input: { history, message: "more" } });
    expect(await second.run()).toBe("success");
    const before = JSON.stringify(first.requests[1]?.messages).slice(0, -1);
    expect(JSON.stringify(second.requests[0]?.messages).startsWith(before)).toBe(true);
    expect(bodiesOf(second.requests[0]).at(-1)).toEqual({ role: "user", content: "more" });
    // The model repeated the id "a": the second call got a new one, so that no result is paired with the wrong call.
    expect(resultsOf(second.outputs)).toMatchObject([{ toolUseId: "a-2", output: "1" }]);
  });
});

describe("tools", () => {
  test("[N2] consecutive reads run in parallel, other tools one after the other", async () => {
    const running = new Set<string>();
    const seen: string[] = [];
    const watch = (name: string, access: NativeTool["access"]) =>
      defineTool({
        name,
        description: "",
        access,
        schema: z.object({ id: z.string() }),
        async run({ id }) {
          running.add(id);
          await delay(1);
          seen.push(`${id}:${[...running].sort().join("")}`);
          await delay(1);
          running.delete(id);
          return { output: id, state: "completed" };
        },
      });
    const calls = ["r", "r", "w", "w", "r"].map((name, index) => toolCall(`${index}`, name, { id: `${index}` }, index));
    const fixture = createTurnFixture({
      buildRequest,
      tools: [watch("r", "read"), watch("w", "edit")],
      answers: [[...calls, end("tool-calls")]],
    });
    await fixture.run();
    expect(seen).toEqual(["0:01", "1:01", "2:2", "3:3", "4:4"]);
  });

  test("[Q4] a tool with side effects waits until its call is logged; stopped before that, it never runs", async () => {
    let runs = 0;
    const count = defineTool({
      name: "count",
      description: "Counts",
      access: "command",
      schema: z.strictObject({}),
      run: async () => ({ output: String(++runs), state: "completed" }),
    });
    for (const isRecorded of [true, false]) {
      const recording = Promise.withResolvers<boolean>();
      const fixture = createTurnFixture({
        buildRequest,
        tools: [count, echo],
        answers: [[toolCall("r", "echo", { text: "read" }), toolCall("c", "count", {}, 1), end("tool-calls")]],
        recorded: () => recording.promise,
      });
      const status = fixture.run();
      await fixture.next("tool-result"); // of the read, which need not wait
      expect(runs).toBe(0);
      if (!isRecorded) fixture.controller.abort();
      recording.resolve(isRecorded);
      expect(await status).toBe(isRecorded ? "success" : "cancelled");
      expect(resultsOf(fixture.outputs)[1]).toMatchObject(
        isRecorded ? { output: "1", state: "completed" } : { output: "Stopped before it ran.", state: "interrupted" },
      );
      expect(runs).toBe(isRecorded ? 1 : 0);
      runs = 0;
    }
  });

  test("[N2] malformed arguments, unknown tools and invalid arguments are returned to the model, not thrown", async () => {
    const calls = [
      toolCall("a", "echo", "{", 0),
      toolCall("b", "nope", {}, 1),
      toolCall("c", "echo", { wrong: 1 }, 2),
      toolCall("d", "echo", "", 3),
    ];
    const fixture = createTurnFixture({
      buildRequest,
      tools: [echo],
      answers: [
        [...calls, end("tool-calls")],
        [text("ok"), end()],
      ],
    });
    expect(await fixture.run()).toBe("success");
    expect(resultsOf(fixture.outputs).map((result) => [result.toolUseId, result.isError])).toEqual(
      ["a", "b", "c", "d"].map((id) => [id, true]),
    );
    expect(fixture.outputs.find((output) => output.type === "tool-use")).toMatchObject({ input: {}, rawInput: "{" });
  });

  test("[N2] a tool that throws is a failed result", async () => {
    const broken = defineTool({
      name: "echo",
      description: "",
      access: "read",
      schema: z.object({}),
      run: () => Promise.reject(new Error("bug")),
    });
    const fixture = createTurnFixture({ buildRequest, tools: [broken], answers: [[toolCall("a", "echo", {}), end("tool-calls")]] });
    expect(await fixture.run()).toBe("success");
    expect(resultsOf(fixture.outputs)).toMatchObject([{ state: "failed", output: "The tool failed: bug" }]);
  });

  test("[T6] one id for two calls of a message: both run, each with its own result", async () => {
    const calls = [
      toolCall("x", "echo", { text: "1" }, 0),
      toolCall("x", "echo", { text: "2" }, 1),
      toolCall("", "echo", { text: "3" }, 2),
    ];
    const fixture = createTurnFixture({ buildRequest, tools: [echo], answers: [[...calls, end("tool-calls")]] });
    await fixture.run();
    expect(resultsOf(fixture.outputs).map((result) => [result.toolUseId, result.output])).toEqual([
      ["x", "1"],
      ["x-2", "2"],
      ["call-1", "3"],
    ]);
  });
});

describe("endings", () => {
  test("[N2] at its limit of steps an execution is interrupted with a reason, after the results of the last step", async () => {
    const call = (id: string) => [toolCall(id, "echo", { text: "" }), end("tool-calls")];
    const fixture = createTurnFixture({ buildRequest, tools: [echo], answers: [call("a"), call("b"), call("c")], input: { maxSteps: 2 } });
    expect(await fixture.run()).toBe("interrupted");
    expect(fixture.requests).toHaveLength(2);
    expect(fixture.outputs.slice(-2)).toMatchObject([
      { type: "tool-result", toolUseId: "b" },
      { type: "end", status: "interrupted", code: "step-limit", reason: { code: "step-limit", steps: 2 } },
    ]);
  });

  test("[N2] calls of a refused answer do not run, and each has a result", async () => {
    const fixture = createTurnFixture({
      buildRequest,
      tools: [echo],
      answers: [[toolCall("a", "echo", { text: "1" }), end("refusal")]],
    });
    expect(await fixture.run()).toBe("failed");
    expect(fixture.requests).toHaveLength(1);
    expect(resultsOf(fixture.outputs)).toMatchObject([{ toolUseId: "a", output: "Stopped before it ran.", state: "interrupted" }]);
    expect(fixture.outputs.at(-1)).toMatchObject({ type: "end", reason: { code: "model-declined" } });
  });

  test("[N2] a retry discards earlier output and does not run its calls", async () => {
    const failing = [text("half"), toolCall("a", "echo", { text: "1" }, 1), new ModelError("overloaded", "busy")];
    const fixture = createTurnFixture({ buildRequest, tools: [echo], answers: [failing, [text("whole"), end()]] });
    expect(await fixture.run()).toBe("success");
    expect(fixture.outputs.find((output) => output.type === "retry")).toMatchObject({ attempt: 1, reason: "busy" });
    expect(resultsOf(fixture.outputs)).toEqual([]);
    expect(storedOf(fixture.outputs).map(({ body }) => body)).toEqual([{ role: "assistant", content: "whole" }]);
  });

  test("[N2] retries are limited, permanent errors are not retried, and a call that was shown has a result", async () => {
    const busy: Answer = [new ModelError("rate-limit", "slow down")];
    const limited = createTurnFixture({ buildRequest, answers: [busy, busy, busy], limits: { retries: 2 } });
    expect(await limited.run()).toBe("failed");
    expect(limited.requests).toHaveLength(3);
    const wrong = createTurnFixture({
      buildRequest,
      tools: [echo],
      answers: [[toolCall("a", "echo", {}), new ModelError("auth", "no key")]],
    });
    expect(await wrong.run()).toBe("failed");
    expect(wrong.requests).toHaveLength(1);
    expect(wrong.outputs.slice(-2)).toMatchObject([
      { type: "tool-result", toolUseId: "a", state: "interrupted" },
      { type: "end", status: "failed", reason: "no key" },
    ]);
  });

  test.each([
    ["rate-limit", /slow down.*Wait a minute, then send a message to retry\.$/],
    ["quota", /Check its plan and billing, or choose another model\.$/],
    ["overloaded", /This is usually temporary: send a message to retry\.$/],
    ["network", /Check the network and the proxy settings, then send a message to retry\.$/],
    ["bad-request", /^slow down$/],
  ] as const)("[E5] a failure of the provider says what to do: %s", async (kind, reason) => {
    const fixture = createTurnFixture({ buildRequest, answers: [[new ModelError(kind, "slow down")]], limits: { retries: 0 } });
    await fixture.run();
    const ended = fixture.outputs.at(-1);
    expect(ended).toMatchObject({ status: "failed" });
    expect(ended?.type === "end" && formatText(ended.reason ?? "")).toMatch(reason);
  });

  test("a stream that stops before its end is retried", async () => {
    const fixture = createTurnFixture({ buildRequest, answers: [[text("half")], [text("whole"), end()]] });
    expect(await fixture.run()).toBe("success");
    expect(typesOf(fixture.outputs)).toContain("retry");
  });

  test.each([
    ["refusal" as const, "failed", undefined],
    ["length" as const, "success", "output-limit"],
  ])("the stop reason %s ends as %s", async (stopReason, status, code) => {
    const fixture = createTurnFixture({ buildRequest, answers: [[text("x"), end(stopReason)]] });
    expect(await fixture.run()).toBe(status);
    expect(fixture.outputs.find((output) => output.type === "notice")?.code).toBe(code);
  });

  test("[Q3] [Q4] a stop at any moment leaves a valid history: one result per call, no tool run twice, one end, last", async () => {
    const answers = (): Answer[] => [
      [
        { type: "reasoning-delta", index: 0, text: "hm" },
        text("a", 1),
        toolCall("a", "slow", {}, 2),
        toolCall("b", "slow", {}, 3),
        end("tool-calls"),
      ],
      [text("b"), toolCall("c", "slow", {}, 1), toolCall("d", "ask", {}, 2), end("tool-calls")],
      [text("done"), end()],
    ];
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 20 }), fc.boolean(), async (moment, later) => {
        const runs = new Map<string, number>();
        const slow = (name: string, access: NativeTool["access"]) =>
          defineTool({
            name,
            description: "",
            access,
            schema: z.object({}),
            async run(_, { toolUseId, signal }) {
              runs.set(toolUseId, (runs.get(toolUseId) ?? 0) + 1);
              await delay(0, undefined, { signal });
              return { output: "ok", state: "completed" };
            },
          });
        let count = 0;
        const fixture = createTurnFixture({
          buildRequest,
          answers: answers(),
          tools: [slow("slow", "read"), slow("ask", "command")],
          input: { permissionMode: "ask" },
          onOutput(output) {
            if (output.type === "approval-request")
              fixture.approvals.answer({ type: "approval", toolUseId: output.toolUseId, decision: "allow", reason: null });
            if (count++ !== moment) return;
            if (later) setImmediate(() => fixture.controller.abort());
            else fixture.controller.abort();
          },
        });
        const status = await fixture.run();
        const ends = fixture.outputs.filter((output) => output.type === "end");
        expect(ends).toHaveLength(1);
        expect(fixture.outputs.at(-1)).toEqual(ends[0]);
        expect(ends[0]?.status).toBe(status);
        const uses = fixture.outputs.filter((output) => output.type === "tool-use").map((output) => output.toolUseId);
        expect(
          resultsOf(fixture.outputs)
            .map((output) => output.toolUseId)
            .toSorted(),
        ).toEqual(uses.toSorted());
        for (const times of runs.values()) expect(times).toBe(1);
        for (const output of fixture.outputs) expect(agentOutputSchema.safeParse(output).success).toBe(true);
        const history: MessageEntity[] = [
          { id: "u", body: { role: "user", content: "go" } },
          ...storedOf(fixture.outputs),
          { id: "v", body: { role: "user", content: "on" } },
        ];
        // Nothing has to be repaired; only an answer with nothing but reasoning is left out.
        const bodies = history.map(({ body }) => body).filter((body) => body.role !== "assistant" || hasMoreThanThoughts(body));
        expect(buildRequest({ systemPrompts: [], messages: history, summary: null })).toEqual(bodies);
      }),
      { numRuns: 60 },
    );
  });
});
