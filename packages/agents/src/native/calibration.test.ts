import type { MessageEntity } from "@skein/contracts";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../tools/tool.ts";
import { buildRequest } from "./build-request.ts";
import { findMeasuredRequest } from "./find-measured-request.ts";
import { type Answer, createTurnFixture, end, text, toolCall } from "./turn-fixture.ts";

const said = (inputTokens: number, words = "ok"): Answer => [
  text(words),
  { type: "end", stopReason: "end", usage: { inputTokens, outputTokens: 2 } },
];

/** About 10,000 tokens by our estimate, most of them in outputs. */
const history: MessageEntity[] = Array.from({ length: 12 }, (_, n): MessageEntity[] => [
  { id: `msg_u${n}`, body: { role: "user", content: `Read file ${n}.` } },
  {
    id: `msg_c${n}`,
    body: { role: "assistant", content: "", toolCalls: [{ id: `c${n}`, type: "function", function: { name: "read", arguments: "{}" } }] },
  },
  {
    id: `msg_r${n}`,
    body: {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: `c${n}`, toolName: "read", input: {}, result: "word ".repeat(550) }],
    },
  },
  { id: `msg_a${n}`, body: { role: "assistant", content: `Answer ${n}.` } },
]).flat();

const isCompressed = (fixture: ReturnType<typeof createTurnFixture>) => fixture.outputs.some((output) => output.type === "compression");

describe("the provider's token count", () => {
  test("[R10] decides at the end of the execution: a conversation that takes more than it seems is compressed", async () => {
    for (const [reported, isTooLong] of [
      [12_000, false],
      [40_000, true],
    ] as const) {
      const fixture = createTurnFixture({
        buildRequest,
        contextWindow: 20_000,
        answers: [said(reported), said(1, "SUMMARY.")],
        input: { history, message: "go" },
      });
      await fixture.run();
      expect(isCompressed(fixture), `${reported} tokens`).toBe(isTooLong);
    }
  });

  test("[R10] decides at the start of the next one as well, in both directions", async () => {
    for (const [contextWindow, inputTokens, isTooLong] of [
      [20_000, 30_000, true],
      [20_000, 9_000, false],
      [11_000, 5_000, false],
      [11_000, 9_000, true],
    ] as const) {
      const fixture = createTurnFixture({
        buildRequest,
        contextWindow,
        answers: [],
        input: { history, message: "go", measured: { answerId: "msg_a11", inputTokens } },
      });
      void fixture.run();
      const first = await Promise.race([fixture.next("compression"), fixture.next("message-end")]);
      expect(first.type === "compression", `${inputTokens} of ${contextWindow}`).toBe(isTooLong);
      fixture.controller.abort();
    }
  });

  test("[N2] a turn that outgrows the window by itself leaves out older outputs before it is rejected, and reports that", async () => {
    const read = defineTool({
      name: "read",
      description: "Reads",
      access: "read",
      schema: z.strictObject({}),
      run: async () => ({ output: "word ".repeat(600), state: "completed" }),
    });
    const calls = Array.from({ length: 12 }, (_, n) => toolCall(`c${n}`, "read", {}, n));
    const fixture = createTurnFixture({
      buildRequest,
      contextWindow: 8_000,
      tools: [read],
      answers: [[...calls, end("tool-calls")], said(6_000)],
    });
    expect(await fixture.run()).toBe("success");
    const notice = fixture.outputs.find((output) => output.type === "notice");
    expect(notice).toMatchObject({
      code: "sent-without",
      text: { code: "sent-without", leftOut: "older-outputs", reason: expect.stringContaining("longer than the model's window") },
    });
    expect(JSON.stringify(fixture.requests[1]?.messages).match(/characters of this output are left out/g)).toHaveLength(6);
  });
});

describe("the last measured request", () => {
  const answer = {
    id: "msg_2",
    body: { role: "assistant", content: "b" },
    model: "p/m",
    usage: { inputTokens: 7 },
    createdAt: 20,
  } as const;
  const messages = [
    { id: "msg_1", body: { role: "user", content: "a" } } as const,
    answer,
    { id: "msg_3", body: { role: "user", content: "c" } } as const,
  ];
  const none = { summary: null, pruning: null };
  const summary = (createdAt: number) => ({
    summary: { createdAt } as NonNullable<Parameters<typeof findMeasuredRequest>[1]["compression"]["summary"]>,
    pruning: null,
  });

  test("[R10] is that of the last answer, if this model gave it and nothing was compressed since", () => {
    expect(findMeasuredRequest(messages, { model: "p/m", compression: none })).toEqual({ answerId: "msg_2", inputTokens: 7 });
    expect(findMeasuredRequest(messages, { model: "p/m", compression: summary(10) })).toEqual({ answerId: "msg_2", inputTokens: 7 });
    expect(findMeasuredRequest(messages, { model: "p/m", compression: summary(20) })).toBeUndefined();
    expect(findMeasuredRequest(messages, { model: "p/other", compression: none })).toBeUndefined();
    expect(findMeasuredRequest(messages, { model: "p/m", compression: { summary: null, pruning: { results: [] } } })).toBeUndefined();
    expect(findMeasuredRequest([], { model: "p/m", compression: none })).toBeUndefined();
  });
});
