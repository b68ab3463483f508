import { formatText } from "@skein/engine";
import { expect, it } from "vitest";
import { claudeCodeAgent } from "../claude-code/claude-code-agent.ts";
import { codexKind } from "../codex/codex-agent.ts";
import { geminiAgentKind } from "../gemini/gemini-agent.ts";
import { createDrivenAgent, type DrivenAgentKind } from "./create-driven-agent.ts";

function explain(kind: DrivenAgentKind, reason: string, environment: Record<string, string> = {}): string | undefined {
  const text = createDrivenAgent(kind, {}, { environment, baseEnvironment: {} }).explainFailure?.(reason);
  return text && formatText(text);
}

it.each([
  [claudeCodeAgent, "Invalid API key · Please run /login", /^Claude Code's login was not accepted .* set ANTHROPIC_API_KEY\.$/],
  [
    codexKind,
    "unexpected status 401 Unauthorized: , url: https://api.openai.com/v1/responses",
    /^Codex is not logged in\. Run: codex login$/,
  ],
  [geminiAgentKind, "API key not valid. Please pass a valid API key.", /^Gemini CLI's login was not accepted .* set GEMINI_API_KEY\.$/],
])("[E5] a rejected login names the way to log in: %#", (kind, reason, expected) => {
  expect(explain(kind, reason)).toMatch(expected);
});

it("[E5] a key that a gateway rejects is not a missing login", () => {
  const url = "http://127.0.0.1:4000";
  const claude = explain(claudeCodeAgent, "Invalid API key · Please run /login", { ANTHROPIC_BASE_URL: url });
  expect(claude).toMatch(/^127\.0\.0\.1:4000 did not accept Claude Code's API key/);
  const codex = explain(codexKind, `unexpected status 401 Unauthorized: no., url: ${url}/v1/responses, request id: r`);
  expect(codex).toMatch(/^127\.0\.0\.1:4000 did not accept Codex's API key/);
});

it("an agent with sessions of its own is described as one whose history Skein does not compress", async () => {
  const agent = createDrivenAgent(claudeCodeAgent, { command: ["/nowhere"] }, { environment: {}, baseEnvironment: {} });
  expect(await agent.describe()).toMatchObject({ capabilities: { compressesHistory: false } });
});
