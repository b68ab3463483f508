import { describe, expect, it } from "vitest";
import { toClaudeCodeArguments } from "./claude-code-arguments.ts";

const order = { model: null, permissionMode: "ask", trustsRepository: false } as const;

describe("the arguments of Claude Code", () => {
  it("[X8] nothing of the repository's own settings counts before it is trusted", () => {
    expect(toClaudeCodeArguments(order, { sessionId: null })).toContain("--setting-sources=user");
    expect(toClaudeCodeArguments({ ...order, trustsRepository: true }, { sessionId: null }).join(" ")).not.toContain("--setting-sources");
  });

  it("[X7] external values cannot become options", () => {
    const hostile = "--dangerously-skip-permissions";
    const args = toClaudeCodeArguments({ ...order, model: hostile }, { sessionId: hostile });
    expect(args).not.toContain(hostile);
    expect(args).toEqual(expect.arrayContaining([`--model=${hostile}`, `--resume=${hostile}`]));
  });

  it("[E2] a retried message replaces the one that was not answered", () => {
    expect(toClaudeCodeArguments(order, { sessionId: "s", resumeAt: "m" })).toEqual(
      expect.arrayContaining(["--resume=s", "--resume-session-at=m"]),
    );
  });

  it.each([
    ["ask", "default"],
    ["accept-edits", "acceptEdits"],
    ["full", "acceptEdits"],
  ] as const)("[N3] %s asks as %s does", (permissionMode, mode) => {
    expect(toClaudeCodeArguments({ ...order, permissionMode }, { sessionId: null })).toContain(`--permission-mode=${mode}`);
  });
});
