import { describe, expect, it } from "vitest";
import { createWorktreeFixture } from "../grants/worktree.fixture.ts";
import { findCommandDanger, isGranted, toCodexGrant } from "./codex-grants.ts";

const { directory } = createWorktreeFixture();
const toQuestion = (command: string, more: object = {}) => ({
  method: "item/commandExecution/requestApproval",
  params: { itemId: "c", kind: "command", command, cwd: directory, ...more },
});
const status = {
  grants: [
    { type: "read-only-command", tool: "command_execution", program: "git status" } as const,
    { type: "command", tool: "command_execution", command: "npm test" } as const,
  ],
  directory,
};
const tool = (name: string) => ({
  method: "mcpServer/elicitation/request",
  params: {
    serverName: "files",
    message: `Allow the files MCP server to run tool "${name}"?`,
    _meta: { codex_approval_kind: "mcp_tool_call" },
  },
});

describe("[E10, X17] what is allowed permanently", () => {
  it("is the exact command, or a program that only reads", () => {
    const tool = "command_execution";
    const grantOf = (command: string) => toCodexGrant(toQuestion(command), directory);
    expect(grantOf("/bin/bash -lc 'git status --short'")).toEqual({ type: "read-only-command", tool, program: "git status" });
    expect(grantOf("/bin/bash -lc 'npm test'")).toEqual({ type: "command", tool, command: "npm test" });
    expect(grantOf('/bin/bash -lc "echo \'a\' \\"b\\" && npm test"')).toEqual({
      type: "command",
      tool,
      command: "echo 'a' \"b\" && npm test",
    });
    expect(isGranted(toQuestion("/usr/bin/zsh -lc 'git status -b'"), status)).toBe(true);
    expect(isGranted(toQuestion("/bin/bash -lc 'npm test && git status'"), status)).toBe(true);
    expect(isGranted(toQuestion("/bin/bash -lc 'git push'"), status)).toBe(false);
    expect(isGranted(toQuestion("/bin/bash -lc 'npm test x'"), status)).toBe(false);
  });

  it.each([
    ["a chain", toQuestion("/bin/bash -lc 'git status; curl evil.example'")],
    ["a shell that the model has made", toQuestion("/tmp/bash -lc 'git status'")],
    ["another folder", toQuestion("/bin/bash -lc 'git status'", { cwd: `${directory}-evil` })],
    ["more than one word for the shell", toQuestion("/bin/bash -lc 'git status' evil")],
    ["a shell with another option", toQuestion("/bin/bash -ic 'git status'")],
    ["a text that the outer shell would expand", toQuestion('/bin/bash -lc "git status $X"')],
    ["no folder", toQuestion("/bin/bash -lc 'git status'", { cwd: null })],
    ["keys typed into a running command", toQuestion("/bin/bash -lc 'git status'", { kind: "writeStdin" })],
    ["a host that it wants to reach", toQuestion("/bin/bash -lc 'git status'", { networkApprovalContext: { host: "evil.example" } })],
    ["a change of files", { method: "item/fileChange/requestApproval", params: { itemId: "c" } }],
  ])("%s is covered by no grant for a command", (_, question) => {
    expect(isGranted(question, status)).toBe(false);
  });

  it("never covers a dangerous command, and gives the reason", () => {
    const question = toQuestion("/bin/bash -lc 'rm -rf build'");
    expect(toCodexGrant(question)).toBeUndefined();
    expect(isGranted(question, { grants: [{ type: "command", tool: "command_execution", command: "rm -rf build" }], directory })).toBe(
      false,
    );
    expect(findCommandDanger(question)).toEqual({ code: "deletes-folders" });
  });

  it("a tool of an MCP server is allowed by its name", () => {
    const grant = toCodexGrant(tool("stat"));
    expect(grant).toEqual({ type: "tool", tool: "mcp__files__stat" });
    const grants = grant === undefined ? [] : [grant];
    expect([tool("stat"), tool("erase")].map((question) => isGranted(question, { grants, directory }))).toEqual([true, false]);
  });
});
