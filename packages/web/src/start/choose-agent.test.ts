import type { AgentInfo } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { chooseAgent } from "./choose-agent.ts";

const agent = (id: string, available: boolean): AgentInfo => ({ id, name: id, available, models: [] });

describe("chooseAgent", () => {
  it("takes the default agent", () => {
    expect(chooseAgent({ agents: [agent("codex", true), agent("native", true)], defaultAgent: "native" })?.id).toBe("native");
  });

  it("takes one that is available over a default that is not", () => {
    expect(chooseAgent({ agents: [agent("codex", false), agent("native", true)], defaultAgent: "codex" })?.id).toBe("native");
  });

  it("with none available still names the default: the server's answer names what to install", () => {
    expect(chooseAgent({ agents: [agent("codex", false)], defaultAgent: "codex" })?.id).toBe("codex");
    expect(chooseAgent({ agents: [], defaultAgent: "codex" })).toBeUndefined();
  });
});
