import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkAnthropicRequest, checkGeminiRequest, checkOpenAIChatRequest, checkOpenAIResponsesRequest } from "./index.ts";

const WORDS = [
  "messages", "input", "contents", "role", "content", "type", "text", "parts", "model", "user", "assistant", "tool", "tool_use", "tool_result",
  "thinking", "function_call", "reasoning", "functionCall", "name", "id", "call_id", "tool_calls", "tool_call_id", "tools", "system",
]; // biome-ignore format: a list of words
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.constantFrom<unknown>(...WORDS, "", " ", "\ud83d", null, true, 0),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...WORDS), tie("value"), { maxKeys: 5 }),
  ),
})).value;
const checks = [
  checkAnthropicRequest,
  (body: unknown) => checkOpenAIChatRequest(body, { mistral: true }),
  checkOpenAIResponsesRequest,
  (body: unknown) => checkGeminiRequest(body, "gemini-3-pro"),
];

describe("any body", () => {
  it("is checked without throwing, and each violation names its path and reason", () => {
    fc.assert(
      fc.property(json, (body) => {
        for (const check of checks) {
          for (const violation of check(body)) {
            expect(violation.message).not.toBe("");
            expect(violation.message).not.toContain("undefined");
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
