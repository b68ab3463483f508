import { describe, expect, test } from "vitest";
import { costOf } from "./cost-of.ts";
import { findCheaperModel } from "./find-cheaper-model.ts";
import { findKnownModel, knownModels } from "./known-models.ts";

describe("known models", () => {
  test("each has its own id, a window larger than its output, and plausible prices", () => {
    expect(new Set(knownModels.map(({ id }) => id)).size).toBe(knownModels.length);
    for (const { id, contextWindow, outputLimit, price } of knownModels) {
      expect(contextWindow, id).toBeGreaterThan(outputLimit);
      expect(price.cacheRead, id).toBeLessThan(price.input);
      expect(price.input, id).toBeLessThan(price.output);
    }
  });

  test.each([
    ["anthropic/claude-haiku-4-5-20251001", "anthropic/claude-haiku-4-5"],
    ["openai/gpt-5.4-2026-03-05", "openai/gpt-5.4"],
    ["openai-chat/gpt-5.4", "openai/gpt-5.4"],
    ["openai/gpt-5.4-mini", "openai/gpt-5.4-mini"],
  ])("%s is %s", (id, known) => expect(findKnownModel(id)?.id).toBe(known));

  test("an unknown model has no price", () => {
    expect(findKnownModel("openai/gpt-99")).toBeUndefined();
    expect(costOf({ inputTokens: 1, outputTokens: 1 }, "openai/gpt-99")).toBeUndefined();
  });
});

describe("a cheaper model of the same provider", () => {
  test.each([
    ["anthropic/claude-opus-5-5", "anthropic/claude-haiku-5-5"],
    ["anthropic/claude-sonnet-4-5-20250929", "anthropic/claude-haiku-5-5"],
    ["openai/gpt-5.4", "openai/gpt-6-luna"],
    ["openai-chat/gpt-5.4", "openai-chat/gpt-6-luna"],
    ["gemini/gemini-3.1-pro-preview", "gemini/gemini-3.8-flash"],
    ["anthropic/claude-haiku-5-5", undefined],
    ["openai-chat/local/small", undefined],
    ["scripted/demo", undefined],
  ])("of %s is %s", (id, cheaper) => expect(findCheaperModel(id)).toBe(cheaper));
});

describe("costs", () => {
  test("what is read from and written to the cache is part of the input, at its own price", () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 100_000, cacheReadTokens: 600_000, cacheWriteTokens: 200_000 };
    expect(costOf(usage, "anthropic/claude-opus-5")).toBeCloseTo(0.2 * 5 + 0.6 * 0.5 + 0.2 * 6.25 + 0.1 * 25);
  });

  test("a long prompt costs more, all of it", () => {
    expect(costOf({ inputTokens: 200_000, outputTokens: 0 }, "gemini/gemini-2.5-pro")).toBeCloseTo(0.25);
    expect(costOf({ inputTokens: 200_001, outputTokens: 0 }, "gemini/gemini-2.5-pro")).toBeCloseTo(0.5, 4);
  });

  test("without tokens there is no cost", () => expect(costOf({}, "gemini/gemini-2.5-pro")).toBeUndefined());
});
