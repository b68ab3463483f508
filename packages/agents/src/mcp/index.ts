export { connectMcpServers } from "./connect-mcp-servers.ts";
