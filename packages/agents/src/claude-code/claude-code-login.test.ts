import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatText } from "@skein/engine";
import { beforeEach, describe, expect, it } from "vitest";
import { explainClaudeCodeFailure, findLoginProblem } from "./claude-code-login.ts";

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "skein-login-"));
  mkdirSync(join(home, ".claude"));
});

describe("a login", () => {
  it("is missing if there is no sign of one, and the message explains what to do", () => {
    expect(formatText(findLoginProblem({ HOME: home }) ?? "")).toBe(
      "Claude Code is not logged in. Run `claude` in a terminal and log in there (/login), or set ANTHROPIC_API_KEY.",
    );
    expect(findLoginProblem({ HOME: home, ANTHROPIC_API_KEY: "" })).toBeDefined();
    writeFileSync(join(home, ".claude.json"), "not JSON");
    expect(findLoginProblem({ HOME: home })).toBeDefined();
  });

  it.each([{ ANTHROPIC_API_KEY: "k" }, { ANTHROPIC_AUTH_TOKEN: "t" }, { CLAUDE_CODE_OAUTH_TOKEN: "t" }, { CLAUDE_CODE_USE_BEDROCK: "1" }])(
    "is there by %j",
    (environment) => expect(findLoginProblem({ HOME: home, ...environment })).toBeUndefined(),
  );

  it.each([
    [".claude/.credentials.json", {}],
    [".claude.json", { oauthAccount: { emailAddress: "a@example.invalid" } }],
    [".claude.json", { primaryApiKey: "k" }],
    [".claude/settings.json", { apiKeyHelper: "get-key" }],
    [".claude/settings.json", { env: { ANTHROPIC_AUTH_TOKEN: "t" } }],
  ])("is there by %s with %j", (path, content) => {
    writeFileSync(join(home, path), JSON.stringify(content));
    expect(findLoginProblem({ HOME: home })).toBeUndefined();
  });
});

describe("explaining a failure", () => {
  it.each([
    ["Invalid API key · Please run /login", "log in there"],
    ["Not logged in · Please run /login", "log in there"],
    ["Credit balance is too low", "Add credit"],
    ["The agent ended with exit code 1. error: unknown option '--replay-user-messages'", "too old"],
  ])("%s", (reason, advice) => expect(formatText(explainClaudeCodeFailure(reason) ?? "")).toContain(advice));

  it("keeps Claude Code's own message if that explains enough", () => {
    expect(explainClaudeCodeFailure("API Error: 400 prompt is too long")).toBeUndefined();
  });
});
