import { describe, expect, it } from "vitest";
import { createAgentRegistry } from "../agents/agent-registry.ts";
import type { Config } from "../config/load-config.ts";
import { createForgeConnections } from "../pull-requests/forge-connections.ts";
import { createSettingsService } from "../settings/settings-service.ts";
import { checkAgent } from "./check-agent.ts";

const config: Config = {
  ...{ home: "/nowhere", host: "127.0.0.1", port: 0, behindProxy: false },
  agents: { codex: { command: ["/nowhere/codex"] } },
};
const access = { environment: { OPENAI_API_KEY: "k" }, endpoints: {}, scripts: true };
const forges = createForgeConnections({ home: "/nowhere", config, environment: {} });
const settings = createSettingsService({
  home: "/nowhere",
  config,
  environment: {},
  access,
  forges,
  checkSandbox: async () => ({ state: "supported" }),
});
const agents = createAgentRegistry({
  ...{ config, environment: { PATH: "" }, access, readGeneral: settings.general },
  redact: (command) => [...command],
});
const check = (choice: { agent: string; model?: string }, mustStart = true) =>
  checkAgent({ agents }, choice, { directory: "/nowhere", mustStart });

describe("checkAgent", () => {
  it("returns the model, or the agent's default", async () => {
    expect(await check({ agent: "native", model: "openai/gpt-x" })).toBe("openai/gpt-x");
    expect(await check({ agent: "native" })).toMatch(/^openai\//);
  });

  it.each([
    [
      "an agent that does not exist",
      { agent: "acp:nobody" },
      "agent-not-available",
      "There is no agent “acp:nobody” here. Known: native, ",
    ],
    ["an agent that is not installed", { agent: "codex" }, "agent-not-available", "Codex cannot be started here. "],
    ["a provider that does not exist", { agent: "native", model: "nobody/x" }, "model-not-usable", "There is no model “nobody/x”"],
    ["a provider without a key", { agent: "native", model: "anthropic/x" }, "model-not-usable", "anthropic/x needs a key"],
    ["a script that is not there", { agent: "native", model: "scripted//nowhere/a.json" }, "model-not-usable", "there is no readable file"],
  ])("[E2] rejects %s, with what can be used", async (_, choice, code, message) => {
    await expect(check(choice)).rejects.toMatchObject({ kind: "invalid", code, message: expect.stringContaining(message) });
  });

  it("an attempt can be created before its agent is installed", async () => {
    expect(await check({ agent: "codex" }, false)).toBeNull();
  });
});
