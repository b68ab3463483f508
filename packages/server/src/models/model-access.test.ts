import { describe, expect, test } from "vitest";
import { accessFor, readModelAccess } from "./model-access.ts";

const providers = {
  anthropic: { apiKey: "from-file", baseUrl: "http://127.0.0.1:1" },
  gemini: { apiKey: "gemini-key" },
  endpoints: { ollama: { baseUrl: "http://127.0.0.1:11434/v1" }, paid: { baseUrl: "https://paid.example/v1", apiKey: "paid-key" } },
};
const access = readModelAccess(
  { providers },
  { ANTHROPIC_API_KEY: "from-environment", OPENAI_API_KEY: "openai-key", OPENAI_BASE_URL: " " },
);

describe("what a model's provider requires", () => {
  test("the environment overrides the file, and a blank value counts as unset", () => {
    expect(access.environment).toEqual({
      ANTHROPIC_API_KEY: "from-environment",
      ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
      OPENAI_API_KEY: "openai-key",
      GEMINI_API_KEY: "gemini-key",
    });
  });

  test.each([
    ["anthropic/claude", ["from-environment"]],
    ["openai/gpt", ["openai-key"]],
    ["openai-chat/gpt", ["openai-key"]],
    ["openai-chat/paid/gpt", ["paid-key"]],
    ["openai-chat/ollama/llama", []],
    ["gemini/flash", ["gemini-key"]],
    ["scripted/demo", []],
    ["constructor/x", []],
  ])("[X11] %s gets its own key and no other", (modelId, keys) => {
    const text = JSON.stringify(accessFor(modelId, access));
    const all = ["from-environment", "openai-key", "gemini-key", "paid-key"];
    expect(all.filter((key) => text.includes(key))).toEqual(keys);
  });
});
