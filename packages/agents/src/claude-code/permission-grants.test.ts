import type { JsonValue } from "@skein/contracts";
import { formatText } from "@skein/engine";
import { describe, expect, it } from "vitest";
import { isAllowed } from "../grants/grants.ts";
import { createWorktreeFixture } from "../grants/worktree.fixture.ts";
import { findCommandDanger, findHookWarning, toClaudeCodeCall, toClaudeCodeGrant } from "./permission-grants.ts";

const { directory, token } = createWorktreeFixture();
const suggestion = { type: "addRules", rules: [{ toolName: "x" }], behavior: "allow", destination: "localSettings" };

function grantFor(tool: string, input: JsonValue, suggestions: JsonValue[] = [suggestion]) {
  return toClaudeCodeGrant({ subtype: "can_use_tool", tool_name: tool, input, permission_suggestions: suggestions }, directory);
}

describe("what the “always” option offers", () => {
  it("[E10, X17] a command: the exact one, or a program that only reads; whatever rule Claude Code suggests", () => {
    const rule = [{ ...suggestion, rules: [{ toolName: "Bash", ruleContent: "npm test:*" }] }];
    const input = { command: "npm test -- --watch", description: "Tests", timeout: 1000 };
    expect(grantFor("Bash", input, rule)).toEqual({ type: "command", tool: "Bash", command: "npm test -- --watch" });
    const log = `cd ${directory} && git log`;
    expect(grantFor("Bash", { command: log }, rule)).toEqual({ type: "read-only-command", tool: "Bash", program: "git log" });
    expect(grantFor("Bash", { command: "rm -rf a" }, rule)).toBeUndefined();
    expect(grantFor("Bash", { command: "echo $X" }, rule)).toBeUndefined();
    expect(grantFor("Bash", { command: `cat ${token}` }, rule)).toBeUndefined();
    expect(grantFor("Bash", { command: "npm test", dangerouslyDisableSandbox: true }, rule)).toBeUndefined();
    expect(grantFor("Bash", {})).toBeUndefined();
  });

  it("[E10, X17] an edit: every edit in the worktree, by all of its tools; a page: its origin; a tool of a server: that tool", () => {
    const acceptEdits = [{ type: "setMode", mode: "acceptEdits", destination: "session" }];
    const edits = { type: "edits", tool: "Edit" } as const;
    expect(grantFor("Write", { file_path: `${directory}/new.txt` }, acceptEdits)).toEqual(edits);
    expect(grantFor("Write", { file_path: token }, acceptEdits)).toBeUndefined();
    for (const tool of ["Write", "Edit", "MultiEdit"]) {
      const call = toClaudeCodeCall(tool, { file_path: `${directory}/a.txt` });
      expect(call && isAllowed([edits], call, { directory })).toBe(true);
    }
    expect(grantFor("WebFetch", { url: "https://example.com/a" })).toEqual({
      type: "origin",
      tool: "WebFetch",
      origin: "https://example.com",
    });
    expect(grantFor("mcp__docs__find", {})).toEqual({ type: "tool", tool: "mcp__docs__find" });
  });

  it("[E10] nothing if Claude Code suggests nothing, for a plan, and for unknown tools", () => {
    expect(grantFor("Bash", { command: "ls" }, [])).toBeUndefined();
    expect(grantFor("Read", { file_path: token })).toBeUndefined();
    expect(grantFor("Task", {})).toBeUndefined();
    const plan = { tool_name: "ExitPlanMode", permission_suggestions: [suggestion], requires_user_interaction: true };
    expect(toClaudeCodeGrant(plan, directory)).toBeUndefined();
  });

  it("[E10] a dangerous command has a reason", () => {
    const request = { subtype: "can_use_tool", tool_name: "Bash", input: { command: "'rm' \"-rf\" a" } };
    expect(findCommandDanger(request)).toEqual({ code: "deletes-folders" });
  });

  it("[T8][E10] the warning of Skein's own hook is data, other warnings are verbatim", () => {
    const request = { tool_name: "Edit", input: { file_path: "/repo/.git/config" }, decision_reason_type: "hook" };
    const warning = { code: "git-file", path: ".git/config" } as const;
    expect(findHookWarning({ ...request, decision_reason: formatText(warning) }, "/repo")).toEqual(warning);
    expect(findHookWarning({ ...request, decision_reason: "A hook of the user asks." }, "/repo")).toBeUndefined();
    expect(findHookWarning({ ...request, decision_reason_type: "rule", decision_reason: formatText(warning) }, "/repo")).toBeUndefined();
  });
});
