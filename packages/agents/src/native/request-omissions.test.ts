import type { MessageBody, MessageEntity } from "@skein/contracts";
import { ModelError, type ModelErrorPart } from "@skein/engine";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../tools/tool.ts";
import { buildRequest } from "./build-request.ts";
import { type Answer, bodiesOf, createTurnFixture, end, text, toolCall } from "./turn-fixture.ts";

const image = { type: "image" as const, mediaType: "image/png" as const, data: "AAAA" };
const thought = { type: "reasoning" as const, text: "hm", signature: "sig", model: "test/model" };
const call = (id: string) => ({ id, type: "function" as const, function: { name: "read", arguments: "{}" } });
const history: MessageEntity[] = (
  [
    { role: "user", content: [{ type: "text", text: "look" }, image] },
    { role: "assistant", content: [thought, { type: "text", text: "I look" }], toolCalls: [call("c")] },
    {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "c", toolName: "read", input: {}, result: [{ type: "text", text: "seen" }, image] }],
    },
    { role: "assistant", content: [thought] },
    { role: "assistant", content: "done" },
  ] satisfies MessageBody[]
).map((body, id) => ({ id, body }));

const refusal = (part?: ModelErrorPart): Answer => [new ModelError("bad-request", "400: no", { part })];
const good: Answer = [text("fine"), end()];
const start = (...answers: Answer[]) => createTurnFixture({ buildRequest, answers, input: { history } });
const noticesOf = (fixture: ReturnType<typeof start>) => fixture.outputs.filter((output) => output.type === "notice");

describe("a refused request", () => {
  test("[Q1] is sent again without earlier thoughts and images, and that is reported", async () => {
    const fixture = start(refusal(), good);
    expect(await fixture.run()).toBe("success");
    const sent = JSON.stringify(bodiesOf(fixture.requests[1]));
    expect(sent).not.toMatch(/reasoning|"image"/);
    expect(sent).toContain("I look");
    expect(bodiesOf(fixture.requests[1])).toHaveLength(bodiesOf(fixture.requests[0]).length - 1);
    expect(noticesOf(fixture)).toMatchObject([
      { code: "sent-without", text: { code: "sent-without", reason: expect.stringContaining("400: no") } },
    ]);
    expect(fixture.outputs.filter((output) => output.type === "retry")).toEqual([]);
  });

  test.each([
    ["reasoning" as const, /"image"/, /reasoning/],
    ["image" as const, /reasoning/, /"image"/],
  ])("[Q1] when the provider names the %s, only that is left out", async (part, kept, leftOut) => {
    const fixture = start(refusal(part), good);
    expect(await fixture.run()).toBe("success");
    const sent = JSON.stringify(bodiesOf(fixture.requests[1]));
    expect(sent).toMatch(kept);
    expect(sent).not.toMatch(leftOut);
  });

  test.each(["effort" as const, undefined])(
    "[Q1] the effort that is set is left out first when the refusal names the part %s",
    async (part) => {
      const input = { history, reasoningEffort: "high" as const };
      const fixture = createTurnFixture({ buildRequest, answers: [refusal(part), good], input });
      expect(await fixture.run()).toBe("success");
      expect(fixture.requests.map((request) => request.reasoningEffort)).toEqual(["high", undefined]);
      expect(fixture.requests[1]?.messages).toEqual(fixture.requests[0]?.messages);
      expect(noticesOf(fixture)).toMatchObject([{ code: "sent-without", text: { code: "sent-without", leftOut: "effort" } }]);
    },
  );

  test("[Q1] rejected again, calls become text; rejected for good, the turn ends with the reason", async () => {
    const fixture = start(refusal(), refusal(), refusal(), good);
    expect(await fixture.run()).toBe("failed");
    expect(fixture.requests).toHaveLength(3);
    const last = bodiesOf(fixture.requests[2]);
    expect(last.some((body) => body.role === "tool" || (body.role === "assistant" && body.toolCalls !== undefined))).toBe(false);
    expect(JSON.stringify(last)).toContain("[I called read with {}]");
    expect(JSON.stringify(last)).toContain("[read returned]\\nseen");
    expect(noticesOf(fixture)).toHaveLength(2);
    expect(fixture.outputs.at(-1)).toMatchObject({ status: "failed", reason: "400: no" });
  });

  test("[Q1] a request without a part to blame is not sent twice", async () => {
    const fixture = createTurnFixture({ buildRequest, answers: [refusal(), good] });
    expect(await fixture.run()).toBe("failed");
    expect(fixture.requests).toHaveLength(1);
  });

  test("[Q1] a part that was rejected once stays out for the rest of the turn", async () => {
    const echo = defineTool({
      name: "echo",
      description: "",
      access: "read",
      schema: z.object({}),
      run: async () => ({ output: "", images: [image], state: "completed" }),
    });
    const fixture = createTurnFixture({
      buildRequest,
      tools: [echo],
      input: { history },
      answers: [refusal("image"), [toolCall("e", "echo", {}), end("tool-calls")], good],
    });
    expect(await fixture.run()).toBe("success");
    expect(JSON.stringify(fixture.requests[2])).not.toContain('"image"');
    expect(noticesOf(fixture)).toHaveLength(1);
  });

  test("[N2] output before the rejection is discarded, as with every retry", async () => {
    const fixture = start([text("half"), new ModelError("bad-request", "no")], good);
    expect(await fixture.run()).toBe("success");
    expect(fixture.outputs.map((output) => output.type)).toEqual(["notice", "retry", "text", "message-end", "end"]);
  });
});

test("[N2] a model that rejects every request as too long is asked only a few times", async () => {
  const result = (id: string): MessageEntity[] => [
    { id: `a${id}`, body: { role: "assistant", content: "", toolCalls: [call(id)] } },
    {
      id: `r${id}`,
      body: { role: "tool", content: [{ type: "tool-result", toolCallId: id, toolName: "read", input: {}, result: "x".repeat(5000) }] },
    },
  ];
  const history: MessageEntity[] = [
    { id: "u", body: { role: "user", content: "q" } },
    ...Array.from({ length: 8 }, (_, n) => result(String(n))).flat(),
  ];
  const fixture = createTurnFixture({
    buildRequest,
    answers: () => [new ModelError("context-too-long", "too long")],
    input: { history },
  });
  expect(await fixture.run()).toBe("failed");
  expect(fixture.outputs.at(-1)).toMatchObject({ type: "end", reason: "too long" });
  expect(fixture.requests.length).toBeLessThan(12);
});

test("[N2] a request that is too long is sent again with old outputs left out, then with all of them short", async () => {
  const long = (id: string): MessageEntity[] => [
    { id: `a${id}`, body: { role: "assistant", content: "", toolCalls: [call(id)] } },
    {
      id: `r${id}`,
      body: {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: id, toolName: "read", input: {}, result: `${id}:${"x".repeat(5000)}` }],
      },
    },
  ];
  const tooLong: Answer = [new ModelError("context-too-long", "too long")];
  const entities: MessageEntity[] = [
    { id: "u", body: { role: "user", content: "q" } },
    ...["1", "2", "3", "4", "5", "6", "7", "8"].flatMap(long),
  ];
  const fixture = createTurnFixture({ buildRequest, answers: [tooLong, tooLong, good], input: { history: entities } });
  expect(await fixture.run()).toBe("success");
  // The fourth asks for a summary: the window is smaller than it was said to be.
  const lengths = fixture.requests
    .slice(0, 3)
    .map((request) =>
      bodiesOf(request).flatMap((body) =>
        body.role === "tool"
          ? body.content.map((part) => (part.result.length > 4500 ? "whole" : part.result.length > 1000 ? "start" : "cut"))
          : [],
      ),
    );
  const times = (count: number, word: string) => Array<string>(count).fill(word);
  expect(lengths).toEqual([times(8, "whole"), [...times(2, "cut"), ...times(6, "whole")], [...times(2, "cut"), ...times(6, "start")]]);
  expect(noticesOf(fixture)).toHaveLength(2);
});
