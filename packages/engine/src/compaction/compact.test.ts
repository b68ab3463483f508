import { anyHistory } from "@skein/testkit/histories";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { convert } from "../convert/convert.ts";
import { checks } from "../repair/api-checks.fixture.ts";
import { naive } from "../repair/naive-messages.fixture.ts";
import type { RepairProvider } from "../repair/repair-provider.ts";
import { compact } from "./compact.ts";
import { estimateHistoryTokens } from "./estimate-history-tokens.ts";

const long = "x ".repeat(2000);
/** Three turns with a long output each. */
const chat = [
  { role: "system", content: "Be brief." },
  ...[1, 2, 3].flatMap((turn) => [
    { role: "user", content: `Question ${turn}` },
    { role: "assistant", content: null, tool_calls: [{ id: `c${turn}`, type: "function", function: { name: "read", arguments: "{}" } }] },
    { role: "tool", tool_call_id: `c${turn}`, content: `${turn} ${long}` },
    { role: "assistant", content: `Answer ${turn}` },
  ]),
];
const histories = (["openai-chat", "openai-responses", "anthropic", "gemini", "ai-sdk"] as const).map((provider) => ({
  provider,
  history: provider === "openai-chat" ? chat : convert(chat, { from: "openai-chat", to: provider }).messages,
}));

describe.each(histories)("$provider", ({ provider, history }) => {
  test("[M3] without a summary, the oldest outputs are left out until it fits, never those of the newest turn", async () => {
    const frozen = JSON.stringify(history);
    const { messages, pruned, fits, tokensBefore, tokensAfter } = await compact<object>(history, { provider, maxTokens: 2500 });
    expect({ pruned, fits }).toEqual({ pruned: ["c1"], fits: true });
    expect(tokensAfter).toBe(estimateHistoryTokens(messages, { provider }));
    expect(tokensAfter).toBeLessThan(tokensBefore);
    expect(JSON.stringify(messages)).toMatch(/left out: \d+ characters/);
    expect(checks[provider](messages as Record<string, unknown>[])).toEqual([]);
    const least = await compact<object>(history, { provider, maxTokens: 10 });
    expect(least).toMatchObject({ pruned: ["c1", "c2"], fits: false });
    expect(JSON.stringify(least.messages)).toContain(`3 ${long}`);
    expect(JSON.stringify(history)).toBe(frozen);
  });

  test("[M3] a summary replaces the older turns, after the system prompt", async () => {
    let asked = "";
    const { messages, summarized, fits } = await compact<object>(history, {
      provider,
      maxTokens: 2700,
      keepTurns: 1,
      summarize: async ({ transcript }) => {
        asked = transcript;
        return "Two questions were answered.";
      },
    });
    expect(asked).toContain("Question 1");
    expect(asked).not.toContain("Question 3");
    expect(summarized).toBeGreaterThan(5);
    expect(fits).toBe(true);
    const text = JSON.stringify(messages);
    expect(text).toContain("Two questions were answered.");
    expect(text).not.toContain("Question 2");
    expect(text).toContain("Question 3");
    expect(checks[provider](messages as Record<string, unknown>[])).toEqual([]);
  });

  test("[M3] what fits is returned as it is; a summary that fails or is longer costs only old outputs", async () => {
    const whole = await compact<object>(history, { provider, maxTokens: 100_000 });
    expect(whole.messages).toBe(history);
    const failed = await compact<object>(history, { provider, maxTokens: 2500, summarize: () => Promise.reject(new Error("no model")) });
    expect(failed).toMatchObject({ summarized: 0, pruned: ["c1"], fits: true, summaryError: new Error("no model") });
    const longer = await compact<object>(history, { provider, maxTokens: 2500, summarize: async () => long.repeat(9) });
    expect(longer).toMatchObject({ summarized: 0, pruned: ["c1"] });
  });
});

test.each(Object.keys(naive) as RepairProvider[])(
  "[M3] any history of %s, however small the room, stays one that the API accepts",
  async (provider) => {
    const anyMessages = anyHistory({ models: ["m"] }).map((history) =>
      JSON.parse(JSON.stringify(history), (_, value) => (typeof value === "string" ? value.toWellFormed() : value)),
    );
    const property = fc.asyncProperty(anyMessages, fc.nat(2000), fc.nat(3), async (history, maxTokens, keepTurns) => {
      const messages = history.flatMap(naive[provider]);
      const compacted = await compact<Record<string, unknown>>(messages, {
        provider,
        maxTokens,
        keepTurns,
        summarize: async () => "Short.",
      });
      expect(checks[provider](compacted.messages)).toEqual([]);
      expect(compacted.fits).toBe(estimateHistoryTokens(compacted.messages, { provider }) <= maxTokens);
    });
    await fc.assert(property, { numRuns: process.env.SKEIN_TEST_LONG === "1" ? 20_000 : 200 });
  },
);
