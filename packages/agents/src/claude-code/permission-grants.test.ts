import type { JsonValue } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { toGrant, toRule, toRuleText } from "./permission-grants.ts";

const suggestion = { type: "addRules", rules: [{ toolName: "x" }], behavior: "allow", destination: "localSettings" };

function grantFor(tool: string, input: JsonValue, suggestions: JsonValue[] = [suggestion]) {
  return toGrant({ subtype: "can_use_tool", tool_name: tool, input, permission_suggestions: suggestions });
}

describe("what “always” would allow", () => {
  it("[E10] a command: its first words, and nothing where they say too little", () => {
    expect(grantFor("Bash", { command: "npm test -- --watch" })).toEqual({ tool: "Bash", commandPrefix: "npm test" });
    expect(grantFor("Bash", { command: "touch a && echo b" })).toBeUndefined();
    expect(grantFor("Bash", {})).toBeUndefined();
  });

  it("[E10] an edit: every edit; a page: its domain; a tool of a server: that tool", () => {
    expect(grantFor("Write", { file_path: "/a" }, [{ type: "setMode", mode: "acceptEdits", destination: "session" }])).toEqual({
      tool: "Edit",
      commandPrefix: null,
    });
    const domain = { ...suggestion, rules: [{ toolName: "WebFetch", ruleContent: "domain:example.com" }] };
    expect(grantFor("WebFetch", {}, [domain])).toEqual({ tool: "WebFetch(domain:example.com)", commandPrefix: null });
    const tool = { ...suggestion, rules: [{ toolName: "mcp__docs__find" }] };
    expect(grantFor("mcp__docs__find", {}, [tool])).toEqual({ tool: "mcp__docs__find", commandPrefix: null });
  });

  it("[E10] nothing where Claude Code suggests nothing, or more than one thing", () => {
    expect(grantFor("Bash", { command: "ls" }, [])).toBeUndefined();
    expect(grantFor("Read", {}, [{ ...suggestion, rules: [{ toolName: "Read" }, { toolName: "Bash" }] }])).toBeUndefined();
    expect(toGrant({ tool_name: "ExitPlanMode", permission_suggestions: [suggestion], requires_user_interaction: true })).toBeUndefined();
  });
});

describe("a grant as a rule of Claude Code", () => {
  it.each([
    [{ tool: "Bash", commandPrefix: "npm test" }, "Bash(npm test:*)"],
    [{ tool: "Edit", commandPrefix: null }, "Edit"],
    [{ tool: "WebFetch(domain:example.com)", commandPrefix: null }, "WebFetch(domain:example.com)"],
    [{ tool: "Bash", commandPrefix: "echo )" }, "Bash(echo \\):*)"],
  ])("[N3] %j", (grant, text) => {
    const rule = toRule(grant);
    expect(rule && toRuleText(rule)).toBe(text);
  });

  it("[N3] what was allowed to another agent's tools is none", () => {
    expect(toRule({ tool: "bash", commandPrefix: "npm test" })).toBeUndefined();
  });
});
