import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonValue, McpToolHashes, UsableMcpServer } from "@skein/contracts";
import { findMarkedProcesses, type StdioMcpProgram, stdioMcpServer } from "@skein/testkit/mcp-servers";
import { onTestFinished } from "vitest";
import type { ToolOutcome, ToolRun } from "../tools/tool.ts";
import { type ConnectMcpServersOptions, connectMcpServers, type McpServers } from "./connect-mcp-servers.ts";
import type { McpNotice } from "./mcp-server.ts";

export interface McpFixture extends McpServers {
  directory: string;
  spillDirectory: string;
  notices: McpNotice[];
  call(name: string, input?: JsonValue, run?: Partial<ToolRun>): Promise<ToolOutcome>;
  /** What the servers of this fixture recorded about themselves. */
  readTrace(): string[];
  /** Live processes of its servers. */
  findProcesses(): number[];
}

export interface McpFixtureOptions extends Partial<ConnectMcpServersOptions> {
  programs?: Record<string, StdioMcpProgram>;
  trustedTools?: McpToolHashes;
}

/** Real servers in real processes, closed when the test ends. */
export async function connectForTest({ programs = {}, trustedTools, ...options }: McpFixtureOptions): Promise<McpFixture> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "skein-mcp-")));
  const trace = join(base, "trace");
  const marker = randomUUID();
  const notices: McpNotice[] = [];
  const servers = Object.entries(programs).map(
    ([name, program]): UsableMcpServer => ({
      definition: { type: "stdio", name, ...stdioMcpServer({ trace, ...program }), env: { MCP_TEST_MARKER: marker } },
      trustedTools: trustedTools ?? null,
    }),
  );
  const connected = await connectMcpServers({
    servers,
    directory: base,
    environment: { PATH: process.env.PATH ?? "" },
    spillDirectory: join(base, "spill"),
    signal: new AbortController().signal,
    onNotice: (notice) => void notices.push(notice),
    ...options,
  });
  onTestFinished(async () => {
    await connected.close();
    await rm(base, { recursive: true, force: true });
  });
  return {
    ...connected,
    directory: base,
    spillDirectory: join(base, "spill"),
    notices,
    async call(name, input = {}, run = {}) {
      const prepared = connected.tools.find((tool) => tool.definition.name === name)?.prepare(input);
      if (prepared === undefined) throw new Error(`There is no tool ${name}`);
      if (!prepared.ok) return { output: prepared.error, state: "failed" };
      const signal = run.signal ?? new AbortController().signal;
      return prepared.call.run({ toolUseId: "call_1", onProgress() {}, protectedAllowed: false, ...run, signal });
    },
    readTrace: () => (existsSync(trace) ? readFileSync(trace, "utf8").trim().split("\n") : []),
    findProcesses: () => findMarkedProcesses("MCP_TEST_MARKER", marker),
  };
}
