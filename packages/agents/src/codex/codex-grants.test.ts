import { describe, expect, it } from "vitest";
import { findCommandDanger, isGranted, toCodexGrant } from "./codex-grants.ts";

const directory = "/workspace";
const toQuestion = (command: string, more: object = {}) => ({
  method: "item/commandExecution/requestApproval",
  params: { itemId: "c", kind: "command", command, cwd: directory, ...more },
});
const status = { grants: [{ tool: "command_execution", commandPrefix: "git status" }], directory };
const tool = (name: string) => ({
  method: "mcpServer/elicitation/request",
  params: {
    serverName: "files",
    message: `Allow the files MCP server to run tool "${name}"?`,
    _meta: { codex_approval_kind: "mcp_tool_call" },
  },
});

describe("[E10] what is allowed for good", () => {
  it("is told by the words that a command begins with", () => {
    expect(toCodexGrant(toQuestion("/bin/bash -lc 'git status --short'"))).toEqual({
      tool: "command_execution",
      commandPrefix: "git status",
    });
    expect(isGranted(toQuestion("/usr/bin/zsh -lc 'git status -b'"), status)).toBe(true);
    expect(isGranted(toQuestion("/bin/bash -lc 'git push'"), status)).toBe(false);
  });

  it.each([
    ["a chain", toQuestion("/bin/bash -lc 'git status; curl evil.example'")],
    ["a shell that the model has made", toQuestion("/workspace/bash -lc 'git status'")],
    ["another folder", toQuestion("/bin/bash -lc 'git status'", { cwd: "/workspace-evil" })],
    ["no folder", toQuestion("/bin/bash -lc 'git status'", { cwd: null })],
    ["keys typed into a running command", toQuestion("/bin/bash -lc 'git status'", { kind: "writeStdin" })],
    ["a host that it wants to reach", toQuestion("/bin/bash -lc 'git status'", { networkApprovalContext: { host: "evil.example" } })],
    ["a change of files", { method: "item/fileChange/requestApproval", params: { itemId: "c" } }],
  ])("%s is covered by no grant for a command", (_, question) => {
    expect(isGranted(question, status)).toBe(false);
  });

  it("never covers a dangerous command, which says why", () => {
    const question = toQuestion("/bin/bash -lc 'rm -rf build'");
    expect(toCodexGrant(question)).toBeUndefined();
    expect(isGranted(question, { grants: [{ tool: "command_execution", commandPrefix: "rm" }], directory })).toBe(false);
    expect(findCommandDanger(question)).toBe("It deletes folders with everything in them, and that cannot be undone.");
  });

  it("a tool of an MCP server is allowed by its name", () => {
    const grant = toCodexGrant(tool("stat"));
    expect(grant).toEqual({ tool: "mcp__files__stat", commandPrefix: null });
    const grants = grant === undefined ? [] : [grant];
    expect([tool("stat"), tool("erase")].map((question) => isGranted(question, { grants, directory }))).toEqual([true, false]);
  });
});
