import { describe, expect, it } from "vitest";
import { parseRacer } from "./parse-racer.ts";

describe("[L4] --with", () => {
  it.each([
    ["codex", { agent: "codex" }],
    ["claude-code:opus", { agent: "claude-code", model: "opus" }],
    ["native:openai-chat/qwen3:8b", { agent: "native", model: "openai-chat/qwen3:8b" }],
    ["acp:goose", { agent: "acp:goose" }],
    ["acp:goose:fast", { agent: "acp:goose", model: "fast" }],
  ])("%s", (text, racer) => {
    expect(parseRacer(text)).toEqual(racer);
  });
  it.each(["", "codex:", "acp:", "no such agent", ":model"])("rejects “%s” as wrong usage", (text) => {
    expect(() => parseRacer(text)).toThrow("is not an agent");
  });
});
