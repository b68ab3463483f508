import { expect, test } from "vitest";
import { chooseSummaryModel } from "./choose-summary-model.ts";

const access = {
  environment: { ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "o", OPENAI_BASE_URL: "http://127.0.0.1:1/v1" },
  endpoints: { local: { baseUrl: "http://127.0.0.1:2/v1" } },
};
const choose = (modelId: string, configured?: string) => chooseSummaryModel(modelId, { configured: configured ?? null, access });

test("[R10] summaries are written by the model of the settings, else by a cheaper one of the same provider", () => {
  expect(choose("anthropic/claude-opus-5-5")).toBe("anthropic/claude-haiku-5-5");
  expect(choose("anthropic/claude-opus-5-5", "openai-chat/local/small")).toBe("openai-chat/local/small");
});

test("[R10] the model itself writes them if it is the configured one, or its server's other models are unknown", () => {
  expect(choose("anthropic/claude-opus-5-5", "anthropic/claude-opus-5-5")).toBeUndefined();
  expect(choose("openai/gpt-6-sol")).toBeUndefined();
  expect(choose("openai-chat/local/small")).toBeUndefined();
  expect(choose("scripted/demo")).toBeUndefined();
});
