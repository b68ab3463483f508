export { type ConnectMcpServersOptions, connectMcpServers, type McpServers } from "./connect-mcp-servers.ts";
export type { McpNotice } from "./mcp-server.ts";
export type { McpTool } from "./mcp-tool.ts";
