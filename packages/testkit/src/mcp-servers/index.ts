export { startHttpMcpServer } from "./start-http-mcp-server.ts";
export { findMarkedProcesses, type StdioMcpProgram, stdioMcpServer } from "./stdio-mcp-server.ts";
