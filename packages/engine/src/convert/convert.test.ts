import type { MessageBody } from "@skein/contracts";
import { anyHistory } from "@skein/testkit/histories";
import { generateText, type ModelMessage } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checks } from "../repair/api-checks.fixture.ts";
import { naive } from "../repair/naive-messages.fixture.ts";
import { repair } from "../repair/repair.ts";
import type { RepairProvider } from "../repair/repair-provider.ts";
import { convert } from "./convert.ts";
import { sameHistory } from "./same-history.fixture.ts";

const providers = Object.keys(sameHistory) as RepairProvider[];
const pairs = providers.flatMap((from) => providers.filter((to) => to !== from).map((to) => ({ from, to })));
const isLong = process.env.SKEIN_TEST_LONG === "1";
const numRuns = isLong ? 20_000 : 150;
const timeout = isLong ? 10_800_000 : 60_000;

const wellFormed = (history: readonly MessageBody[]): MessageBody[] =>
  JSON.parse(JSON.stringify(history), (_, value) => (typeof value === "string" ? value.toWellFormed() : value));
const anyMessages = anyHistory({ models: ["m"] }).map(wellFormed);

describe.each(pairs)("$from to $to", ({ from, to }) => {
  test("[M3] the same conversation is written as the other API documents it, and nothing is lost", () => {
    const { messages, system } = sameHistory[from];
    const frozen = JSON.stringify(messages);
    expect(convert(messages, { from, to, system })).toEqual({ ...sameHistory[to], losses: [], changes: [] });
    expect(JSON.stringify(messages)).toBe(frozen);
  });

  test("[M3] whatever the history looks like, the other API accepts the result", { timeout }, () => {
    fc.assert(
      fc.property(anyMessages, (history) => {
        const { messages } = convert(history.flatMap(naive[from]), { from, to });
        expect(checks[to](messages)).toEqual([]);
      }),
      { numRuns },
    );
  });

  test("[M3] where no loss or change is reported, converting back and again gives the same bytes", { timeout }, () => {
    let compared = 0;
    fc.assert(
      fc.property(anyMessages, (history) => {
        const messages = history.flatMap(naive[from]);
        if (repair(messages, { provider: from }).changes.length > 0) return;
        const there = convert(messages, { from, to });
        const back = convert(there.messages, { from: to, to: from, system: there.system });
        const again = convert(back.messages, { from, to, system: back.system });
        if ([...there.losses, ...there.changes, ...back.losses, ...back.changes].length > 0) return;
        compared++;
        expect(again).toEqual(there);
      }),
      { numRuns },
    );
    expect(compared).toBeGreaterThan(0);
  });
});

const call = { type: "tool_use", id: "c1", name: "shot", input: {} };
const toAnthropicResult = (result: object) => [
  { role: "user", content: "Go." },
  { role: "assistant", content: [call] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", ...result }] },
];
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };

describe("what another API cannot express", () => {
  test("[M3] an error flag becomes a text where there is none, and is kept where there is one", () => {
    const failed = toAnthropicResult({ content: "no such file", is_error: true });
    const chat = convert(failed, { from: "anthropic", to: "openai-chat" });
    expect(chat.messages.at(-1)).toEqual({ role: "tool", tool_call_id: "c1", content: "Error: no such file" });
    expect(chat.losses).toEqual([{ kind: "error-flag", index: 2, detail: "result" }]);
    for (const to of ["gemini", "ai-sdk"] as const) {
      const there = convert(failed, { from: "anthropic", to });
      expect(there.losses).toEqual([]);
      expect(convert(there.messages, { from: to, to: "anthropic" }).messages).toEqual(failed);
    }
  });

  test("[M3] images of a result stay in it, or follow in a user message", () => {
    const shown = toAnthropicResult({ content: [{ type: "text", text: "The page." }, image] });
    for (const to of ["openai-responses", "ai-sdk"] as const) {
      const there = convert(shown, { from: "anthropic", to });
      expect(there.losses).toEqual([]);
      expect(convert(there.messages, { from: to, to: "anthropic" }).messages).toEqual(shown);
    }
    const chat = convert(shown, { from: "anthropic", to: "openai-chat" });
    expect(chat.messages.slice(2)).toEqual([
      { role: "tool", tool_call_id: "c1", content: "The page." },
      {
        role: "user",
        content: [
          { type: "text", text: "Files of the results:" },
          { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
        ],
      },
    ]);
    expect(chat.losses).toEqual([{ kind: "moved-file", index: 2, detail: "image/png" }]);
  });

  test("[M3] signed reasoning goes through the AI SDK's form unchanged, and only back to the provider that made it", () => {
    const histories: [RepairProvider, object[]][] = [
      [
        "anthropic",
        [
          { role: "user", content: "Go." },
          {
            role: "assistant",
            content: [
              { type: "thinking", thinking: "Hm.", signature: "sig" },
              { type: "redacted_thinking", data: "xyz" },
              { type: "text", text: "Done.", cache_control: { type: "ephemeral" } },
            ],
          },
        ],
      ],
      [
        "openai-responses",
        [
          { type: "message", role: "user", content: [{ type: "input_text", text: "Go." }] },
          { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Hm." }], encrypted_content: "abc" },
          {
            type: "message",
            role: "assistant",
            id: "msg_1",
            status: "completed",
            content: [{ type: "output_text", text: "Done.", annotations: [] }],
            phase: "final_answer",
          },
          { type: "reasoning", id: "rs_2", summary: [], encrypted_content: "def" },
          { type: "function_call", id: "fc_1", call_id: "c1", name: "read", arguments: '{ "a": 1 }' },
          { type: "function_call_output", call_id: "c1", output: "ok" },
        ],
      ],
      [
        "gemini",
        [
          { role: "user", parts: [{ text: "Go." }] },
          {
            role: "model",
            parts: [
              { text: "Hm.", thought: true },
              { text: "Done.", thoughtSignature: "s1" },
              { functionCall: { id: "c1", name: "read", args: {} }, thoughtSignature: "s2" },
            ],
          },
          { role: "user", parts: [{ functionResponse: { id: "c1", name: "read", response: { output: "ok" } } }] },
        ],
      ],
    ];
    for (const [from, messages] of histories) {
      const there = convert(messages, { from, to: "ai-sdk" });
      expect(there.losses).toEqual([]);
      const back = convert(there.messages, { from: "ai-sdk", to: from });
      expect(back.losses).toEqual([]);
      // the bytes of arguments are only kept between the two APIs that have them as text
      expect(JSON.stringify(back.messages)).toBe(JSON.stringify(messages).replace('{ \\"a\\": 1 }', '{\\"a\\":1}'));
      const to = from === "anthropic" ? "gemini" : "anthropic";
      const other = convert(messages, { from, to });
      expect(other.losses.map(({ kind }) => kind)).toContain("reasoning");
      expect(JSON.stringify(other.messages)).not.toMatch(/Hm\.|"(?:sig|xyz|abc|s1|s2)"/);
    }
  });

  test("[M3] arguments keep their bytes between the two APIs of OpenAI", () => {
    const messages = [
      { role: "user", content: "Go." },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: '{ "n": 1.0 }' } }],
      },
      { role: "tool", tool_call_id: "c1", content: "ok" },
    ];
    const there = convert(messages, { from: "openai-chat", to: "openai-responses" });
    expect(convert(there.messages, { from: "openai-responses", to: "openai-chat" })).toEqual({ messages, losses: [], changes: [] });
  });

  test("[M3] parts, fields, names and places that the other API does not have are reported", () => {
    const messages = [
      { role: "user", content: "Go.", name: "ann" },
      { role: "system", content: "Be brief." },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "files.read", arguments: "[1]" } }],
      },
      { role: "tool", tool_call_id: "c1", content: "ok" },
      {
        role: "user",
        content: [
          { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
          { type: "video", url: "x" },
        ],
      },
    ];
    const { messages: written, losses } = convert(messages, { from: "openai-chat", to: "anthropic" });
    expect(losses.map(({ kind, index }) => `${kind} ${index}`)).toEqual([
      "field 0",
      "part 4",
      "tool-name 2",
      "role 1",
      "structure 2",
      "part 4",
    ]);
    expect(checks.anthropic(written)).toEqual([]);
  });

  test("[M3] a structured result stays one where the API has them", () => {
    const json = [
      { role: "user", content: "Go." },
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "c1", toolName: "f", input: {} }] },
      { role: "tool", content: [{ type: "tool-result", toolCallId: "c1", toolName: "f", output: { type: "json", value: { a: 1 } } }] },
    ];
    const gemini = convert(json, { from: "ai-sdk", to: "gemini" });
    expect(gemini.losses).toEqual([]);
    expect(convert(gemini.messages, { from: "gemini", to: "ai-sdk" }).messages).toEqual(json);
    const anthropic = convert(json, { from: "ai-sdk", to: "anthropic" });
    expect(anthropic.losses).toEqual([{ kind: "structure", index: 2, detail: "result" }]);
    expect(anthropic.messages.at(-1)?.content).toEqual([{ type: "tool_result", tool_use_id: "c1", content: '{"a":1}' }]);
  });
});

test.each(providers.filter((one) => one !== "ai-sdk"))("[M3] the real AI SDK takes what was converted from %s", async (from) => {
  const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
  const model = new MockLanguageModelV3({
    doGenerate: async () => ({
      content: [{ type: "text", text: "Done." }],
      finishReason: { unified: "stop", raw: "stop" },
      usage,
      warnings: [],
    }),
  });
  const { messages } = convert(sameHistory[from].messages, { from, to: "ai-sdk", system: sameHistory[from].system });
  const { text } = await generateText({ model, messages: messages as unknown as ModelMessage[] });
  expect(text).toBe("Done.");
  expect(model.doGenerateCalls[0]?.prompt.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool", "assistant", "user"]);
});
