import { generateText, type ModelMessage, wrapLanguageModel } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { expect, test } from "vitest";
import { repair } from "./repair.ts";
import type { RepairChange } from "./repair-change.ts";
import { repairMiddleware } from "./repair-middleware.ts";

const call = { type: "tool-call" as const, toolCallId: "c1", toolName: "read", input: {} };
const result = { type: "tool-result" as const, toolCallId: "c1", toolName: "read", output: { type: "text" as const, value: "ok" } };
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const newModel = () =>
  new MockLanguageModelV3({
    doGenerate: async () => ({
      content: [{ type: "text", text: "Done." }],
      finishReason: { unified: "stop", raw: "stop" },
      usage,
      warnings: [],
    }),
  });

test("[M3] the AI SDK accepts a repaired history that it rejects otherwise", async () => {
  const messages: ModelMessage[] = [
    { role: "user", content: "Read it." },
    { role: "assistant", content: [call] },
    { role: "user", content: "And?" },
  ];
  await expect(generateText({ model: newModel(), messages })).rejects.toThrow("c1");
  const { text } = await generateText({ model: newModel(), messages: repair(messages, { provider: "ai-sdk" }).messages });
  expect(text).toBe("Done.");
});

test("[M3] the middleware repairs what the AI SDK lets through", async () => {
  const model = newModel();
  const seen: RepairChange[] = [];
  const repaired = wrapLanguageModel({ model, middleware: repairMiddleware({ onRepair: (changes) => seen.push(...changes) }) });
  const messages: ModelMessage[] = [
    { role: "user", content: "Read it." },
    { role: "assistant", content: [call] },
    { role: "tool", content: [result] },
    { role: "tool", content: [{ ...result, toolCallId: "gone" }] },
    { role: "user", content: "And?" },
  ];
  await generateText({ model: repaired, messages });
  expect(seen).toEqual([{ type: "dropped-result", toolCallId: "gone" }]);
  expect(model.doGenerateCalls[0]?.prompt.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
});
