import { executionIdSchema, type MessageEntity, type MessageId, messageIdSchema } from "@skein/contracts";
import { createMessageProcessor, formatText, ModelError } from "@skein/engine";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../tools/tool.ts";
import { buildRequest } from "./build-request.ts";
import { readCompactCommand } from "./compaction.ts";
import { type Answer, createTurnFixture, end, text, toolCall } from "./turn-fixture.ts";

const answer = (said: string): Answer => [text(said), end()];

/** Turns that each read a long file; about 500 tokens a turn. */
function longHistory(turns: number): (MessageEntity & { id: MessageId })[] {
  return Array.from({ length: turns }, (_, n) => [
    { id: `msg_u${n}`, body: { role: "user" as const, content: `Wish ${n}: keep the name of module ${n}.` } },
    {
      id: `msg_a${n}`,
      body: {
        role: "assistant" as const,
        content: `I look at ${n}.`,
        toolCalls: [{ id: `call${n}`, type: "function" as const, function: { name: "read", arguments: "{}" } }],
      },
    },
    {
      id: `msg_r${n}`,
      body: {
        role: "tool" as const,
        content: [
          { type: "tool-result" as const, toolCallId: `call${n}`, toolName: "read", input: {}, result: `secret ${n} `.repeat(200) },
        ],
      },
    },
    { id: `msg_b${n}`, body: { role: "assistant" as const, content: `Done with ${n}.` } },
  ]).flat() as (MessageEntity & { id: MessageId })[];
}

const textOf = (value: unknown) => JSON.stringify(value);

/** The model's own texts cannot be left out as outputs can. */
const talkative = longHistory(4).map((entity) =>
  entity.body.role === "assistant" ? { ...entity, body: { ...entity.body, content: "long talk ".repeat(300) } } : entity,
);

describe("a conversation beyond the context window", () => {
  test("[R10] is summarised before the request, which then has the summary, the last turns and the question word for word", async () => {
    const question = "What did I say about module 3?";
    const fixture = createTurnFixture({
      buildRequest,
      contextWindow: 8_000,
      answers: [answer("SUMMARY: modules keep their names."), answer("Keep its name.")],
      input: { history: longHistory(14), message: question },
    });
    expect(await fixture.run()).toBe("success");
    const record = await fixture.next("compression");
    expect(record).toMatchObject({
      expectedSummaryId: null,
      summary: { attemptId: "att_1", startMessageId: "msg_u0", model: "test/model" },
    });
    const request = textOf(fixture.requests[1]?.messages);
    expect(request).toContain("SUMMARY: modules keep their names.");
    expect(request).toContain(question);
    expect(request).not.toContain("secret 0 ");
    expect(request).toContain("secret 13 ");
    expect(fixture.outputs.at(-1)).toMatchObject({ type: "end", status: "success" });
  });

  test("[R10, Q8] without a summary its oldest tool outputs are left out, that is reported, and the answer still comes", async () => {
    const fixture = createTurnFixture({
      buildRequest,
      contextWindow: 8_000,
      answers: [[new ModelError("bad-request", "no summaries today")], answer("Here I am.")],
      input: { history: longHistory(14), message: "Continue" },
    });
    expect(await fixture.run()).toBe("success");
    const record = await fixture.next("compression");
    expect(record.summary).toBeNull();
    expect(record.pruning?.results[0]).toEqual({ messageId: "msg_r0", toolCallId: "call0" });
    expect(formatText(record.text)).toMatch(/left out/);
    const request = textOf(fixture.requests[1]?.messages);
    expect(request).not.toContain("secret 0 ");
    expect(request).toContain("It is kept in message msg_r0");
  });

  test("[R11] pruned outputs stay pruned, and a conversation that fits is not changed", async () => {
    const pruning = { results: [{ messageId: "msg_r1" as MessageId, toolCallId: "call1" }] };
    const fixture = createTurnFixture({
      buildRequest,
      answers: [answer("ok")],
      input: { history: longHistory(3), message: "Continue", compression: { summary: null, pruning } },
    });
    await fixture.run();
    expect(fixture.outputs.some((output) => output.type === "compression")).toBe(false);
    const request = textOf(fixture.requests[0]?.messages);
    expect(request).toContain("secret 0 ");
    expect(request).not.toContain("secret 1 ");
  });

  test("[R10] /compact compresses on request, with the user's instructions, and makes no other request", async () => {
    const fixture = createTurnFixture({
      buildRequest,
      answers: [answer("SUMMARY by hand.")],
      input: { history: longHistory(6), message: "/compact keep the names" },
    });
    expect(await fixture.run()).toBe("success");
    expect(fixture.requests).toHaveLength(1);
    expect(textOf(fixture.requests[0]?.messages)).toContain("keep the names");
    expect((await fixture.next("compression")).summary?.summary).toContain("SUMMARY by hand.");
  });

  test("[R10, E9] another model writes the summary; its usage is reported, and is part of the execution's usage", async () => {
    const summary: Answer = [
      text("SUMMARY of another."),
      { type: "end", stopReason: "end", usage: { inputTokens: 5000, outputTokens: 100, costUsd: 0.002 } },
    ];
    const overloaded: Answer = [text("SUMM"), new ModelError("overloaded", "busy")];
    const fixture = createTurnFixture({
      buildRequest,
      contextWindow: 8_000,
      answers: [answer("Keep its name.")],
      summaryAnswers: [overloaded, summary],
      input: { history: longHistory(14), message: "What did I say?" },
    });
    expect(await fixture.run()).toBe("success");
    expect([fixture.requests.length, fixture.summaryRequests.length]).toEqual([1, 2]);
    const record = await fixture.next("compression");
    expect(record.summary).toMatchObject({ model: "test/summaries", summary: expect.stringMatching(/^SUMMARY of another\./) });
    expect(formatText(record.text)).toMatch(/Written by test\/summaries from 5000 tokens in 100 for \$0\.0020\./);
    expect(fixture.outputs.at(-1)).toMatchObject({ usage: { inputTokens: 5010, outputTokens: 102, costUsd: 0.002 } });
  });

  test("[R10] if that model fails, the attempt's own writes it", async () => {
    const fixture = createTurnFixture({
      buildRequest,
      contextWindow: 8_000,
      answers: [answer("SUMMARY of my own."), answer("Here.")],
      summaryAnswers: [[new ModelError("auth", "no such key")]],
      input: { history: longHistory(14), message: "Continue" },
    });
    expect(await fixture.run()).toBe("success");
    expect((await fixture.next("compression")).summary).toMatchObject({ model: "test/model" });
  });

  test("[R10] a window that is smaller than declared: the history is summarized, and the turn continues", async () => {
    const look = defineTool({
      name: "look",
      description: "",
      access: "read",
      schema: z.strictObject({}),
      run: async () => ({ output: "seen", state: "completed" }),
    });
    const fixture = createTurnFixture({
      buildRequest,
      tools: [look],
      answers: (request) => {
        const said = textOf(request.messages);
        if (said.split("long talk").length < 1000) return answer("Here I am.");
        if (!said.includes("seen")) return [toolCall("l", "look", {}), end("tool-calls")];
        return [new ModelError("context-too-long", "too long for me")];
      },
      summaryAnswers: [answer("SUMMARY: modules keep their names.")],
      input: { history: talkative, message: "Continue" },
    });
    expect(await fixture.run()).toBe("success");
    expect((await fixture.next("compression")).summary?.summary).toContain("SUMMARY: modules");
    const last = textOf(fixture.requests.at(-1)?.messages);
    expect(last).toContain("seen");
    expect(last).toContain("Continue");
    expect(fixture.outputs.filter((output) => output.type === "tool-use")).toHaveLength(1);
  });

  test("[R2] a summary names only stored messages, also if a message was sent meanwhile", async () => {
    const read = defineTool({
      name: "read",
      description: "",
      access: "read",
      schema: z.strictObject({}),
      run: async () => ({ output: "word ".repeat(900), state: "completed" }),
    });
    const calls = [toolCall("x", "read", {}), toolCall("y", "read", {}, 1), end("tool-calls")];
    let spoken = 0;
    const fixture = createTurnFixture({
      buildRequest,
      contextWindow: 8_000,
      tools: [read],
      answers: (request) => {
        if (textOf(request.messages).includes("Write the summary now.")) return answer("SUMMARY.");
        return spoken < 4 ? calls : answer("Done.");
      },
      input: { message: "Begin", messageId: messageIdSchema.parse("msg_begin") },
      onOutput(output) {
        if (output.type !== "message-end" || spoken >= 4) return;
        const id = messageIdSchema.parse(`msg_s${++spoken}`);
        fixture.steering.add({ type: "message", id, text: `And ${spoken}`, images: [] });
      },
    });
    expect(await fixture.run()).toBe("success");
    const { summary } = await fixture.next("compression");
    const processor = createMessageProcessor({ executionId: executionIdSchema.parse("exe_1") });
    const stored = fixture.outputs.flatMap((output) => processor.apply(output).messages.map(({ id }) => id));
    expect(summary?.startMessageId).toBe("msg_begin");
    expect(summary?.messageIds.length).toBeGreaterThan(3);
    expect(summary?.messageIds.filter((id) => id !== "msg_begin" && !stored.includes(id))).toEqual([]);
  });

  test("only /compact on its own is the command", () => {
    expect(readCompactCommand("/compact")).toEqual({ instruction: "" });
    expect(readCompactCommand(" /compact\nfocus on tests ")).toEqual({ instruction: "focus on tests" });
    for (const message of ["/compactor", "please /compact", "compact"]) expect(readCompactCommand(message)).toBeUndefined();
  });
});
