import { expect, test } from "vitest";
import { toWholeUsage, withOutputOf } from "./whole-usage.ts";

test("[E9] input is all of the prompt, output all that the model wrote, and what was not reported stays unknown", () => {
  // as opencode reported it, with a total of 7731
  const reported = { inputTokens: 7563, outputTokens: 32, reasoningTokens: 8, cacheReadTokens: 128, cacheWriteTokens: 0 };
  const whole = toWholeUsage(reported);
  expect(whole).toEqual({ ...reported, inputTokens: 7691, outputTokens: 40 });
  expect((whole.inputTokens ?? 0) + (whole.outputTokens ?? 0)).toBe(7731);
  expect(toWholeUsage({ costUsd: 1 })).toEqual({ costUsd: 1 });
});

test("[E9] a total shows whether thoughts were counted in the output", () => {
  expect(withOutputOf(10_704, { inputTokens: 10_664, outputTokens: 48 })).toEqual({ inputTokens: 10_664, outputTokens: 40 });
  expect(withOutputOf(0, { inputTokens: 5, outputTokens: 1 })).toEqual({ inputTokens: 5, outputTokens: 1 });
  expect(withOutputOf(undefined, { outputTokens: 1 })).toEqual({ outputTokens: 1 });
});
