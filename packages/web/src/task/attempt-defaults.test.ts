import type { AgentInfo } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { defaultAttempt } from "./attempt-defaults.ts";

const agent = (id: string, available: boolean, defaultModel?: string): AgentInfo => ({
  id,
  name: id,
  available,
  models: [],
  ...(defaultModel ? { defaultModel } : {}),
});

describe("defaultAttempt", () => {
  it("takes the default agent with its default model", () => {
    expect(defaultAttempt({ agents: [agent("codex", true), agent("native", true, "scripted/demo")], defaultAgent: "native" })).toEqual({
      agent: "native",
      model: "scripted/demo",
    });
  });

  it("takes one that is available over a default that is not", () => {
    expect(defaultAttempt({ agents: [agent("codex", false), agent("native", true)], defaultAgent: "codex" })).toEqual({ agent: "native" });
  });

  it("with none available still names the default: the server's answer tells what to install", () => {
    expect(defaultAttempt({ agents: [agent("codex", false)], defaultAgent: "codex" })).toEqual({ agent: "codex" });
    expect(defaultAttempt({ agents: [], defaultAgent: "codex" })).toBeUndefined();
  });
});
