import type { McpServerInfo } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { toMcpServerView } from "./mcp-server-view.ts";

const server = (changes: Partial<McpServerInfo>): McpServerInfo => ({
  name: "demo",
  source: "project",
  state: "new",
  hash: "a".repeat(64),
  definition: { type: "stdio", name: "demo", command: "npx", args: ["-y", "demo server"], env: { TOKEN: "secret", KEY: "" } },
  files: [],
  changes: [],
  ...changes,
});

describe("[X8] toMcpServerView", () => {
  it("shows the whole command with what it is given, before it is trusted", () => {
    expect(toMcpServerView(server({}))).toEqual({
      target: "npx -y 'demo server'",
      given: ["TOKEN=secret", "KEY="],
      runsCommand: true,
      canTrust: true,
      canRevoke: false,
      tone: "warn",
    });
  });

  it("a changed server can be trusted again or not at all; one from the settings needs neither", () => {
    const can = (changes: Partial<McpServerInfo>) => {
      const { canTrust, canRevoke } = toMcpServerView(server(changes));
      return [canTrust, canRevoke];
    };
    expect(can({ state: "changed" })).toEqual([true, true]);
    expect(can({ state: "trusted" })).toEqual([false, true]);
    expect(can({ state: "overridden" })).toEqual([false, false]);
    expect(can({ source: "config", state: "trusted" })).toEqual([false, false]);
    expect(toMcpServerView(server({ source: "config" })).given).toEqual(["TOKEN", "KEY"]);
  });

  it("shows where a server over HTTP is", () => {
    const definition = { type: "http", name: "demo", url: "https://example.org/mcp", headers: { Authorization: "Bearer secret" } } as const;
    expect(toMcpServerView(server({ definition }))).toMatchObject({
      target: "https://example.org/mcp",
      given: ["Authorization=Bearer secret"],
      runsCommand: false,
    });
  });
});
