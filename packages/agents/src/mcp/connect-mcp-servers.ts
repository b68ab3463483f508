import type { NoticeText, UsableMcpServer } from "@skein/contracts";
import { isJsonObject } from "@skein/contracts/is-json-object";
import { type ToolDefinition, takeStart } from "@skein/engine";
import type { SandboxOrder } from "../sandbox/sandbox-order.ts";
import type { NativeTool } from "../tools/tool.ts";
import { type McpNotice, McpServer } from "./mcp-server.ts";
import type { McpTool } from "./mcp-tool.ts";
import { toMcpToolName } from "./mcp-tool-name.ts";

export interface ConnectMcpServersOptions {
  servers: readonly UsableMcpServer[];
  /** The working folder of servers, and their only root. */
  directory: string;
  /** Allow-listed variables that a server's process gets in addition to its own `env`. */
  environment: Readonly<Record<string, string>>;
  /** For servers that are programs. */
  sandbox?: SandboxOrder | undefined;
  /** Folder for outputs that are too long to be shown. */
  spillDirectory: string;
  /** Aborts servers that are still starting. Running ones are ended by `close`. */
  signal: AbortSignal;
  onNotice(notice: McpNotice): void;
  startTimeoutMs?: number;
  callTimeoutMs?: number;
}

/** What one server adds to a request. */
export interface McpOffer {
  server: string;
  tools: ToolDefinition[];
  systemPrompts: string[];
}

export interface McpServers {
  tools: NativeTool[];
  /** Instructions of the servers, for the system prompts. */
  systemPrompts: string[];
  /** The same by server, for connected servers. */
  offers: McpOffer[];
  /** The tools of each connected server, whether offered or not. */
  reached: { name: string; tools: McpTool[] }[];
  /** Resolves when all of the servers' process groups have ended. */
  close(): Promise<void>;
}

const defaultStartTimeoutMs = 10_000;
const defaultCallTimeoutMs = 60_000;
/** OpenAI accepts 128 tools per request, including Skein's own. */
const mostTools = 100;
const longestInstructions = 4000;

/** Starts all servers at once. One that fails, hangs or dies affects only its own tools, and is reported. */
export async function connectMcpServers(options: ConnectMcpServersOptions): Promise<McpServers> {
  const { startTimeoutMs = defaultStartTimeoutMs, callTimeoutMs = defaultCallTimeoutMs, onNotice } = options;
  const servers = options.servers.map((server) => new McpServer({ ...options, server, startTimeoutMs, callTimeoutMs }));
  await Promise.all(servers.map((server) => server.start()));
  const all = servers.flatMap((server) => server.listTools().map((tool) => ({ server, tool: toNativeTool(server, tool) })));
  const names = new Set<string>();
  const offered = all.filter(
    ({ tool: { definition } }) => !names.has(definition.name) && names.size < mostTools && names.add(definition.name),
  );
  const tools = offered.map(({ tool }) => tool);
  if (tools.length < all.length) {
    const text: NoticeText = { code: "mcp-tools-left-out", left: all.length - tools.length, total: all.length };
    onNotice({ code: "mcp-tools-left-out", text });
  }
  for (const server of servers) {
    const withheld = server.listWithheldTools();
    if (withheld.length === 0) continue;
    onNotice({ code: "mcp-tools-changed", text: { code: "mcp-tools-withheld", server: server.name, tools: withheld } });
  }
  return {
    tools,
    systemPrompts: servers.flatMap((server) => toSystemPrompt(server)),
    offers: servers
      .filter((server) => server.isConnected)
      .map((server) => ({
        server: server.name,
        tools: offered.flatMap((one) => (one.server === server ? [one.tool.definition] : [])),
        systemPrompts: toSystemPrompt(server),
      })),
    reached: servers.flatMap((server) => (server.isConnected ? [{ name: server.name, tools: server.listAllTools() }] : [])),
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

function toNativeTool(server: McpServer, tool: McpTool): NativeTool {
  const name = toMcpToolName(server.name, tool.name);
  return {
    definition: {
      name,
      description: tool.description === "" ? `The tool “${tool.name}” of the MCP server “${server.name}”.` : tool.description,
      inputSchema: tool.inputSchema,
    },
    // A server's own claims about its tools (“only reads”) do not replace an approval.
    access: "command",
    prepare(input) {
      if (!isJsonObject(input)) return { ok: false, error: `The arguments of ${name} are not valid: expected an object.` };
      return { ok: true, call: { findProtection: async () => null, run: (run) => server.call(tool.name, input, run) } };
    },
  };
}

function toSystemPrompt({ name, instructions }: McpServer): string[] {
  if (instructions.trim() === "") return [];
  return [`What the MCP server “${name}” says about its tools:\n${takeStart(instructions, longestInstructions)}\n`];
}
