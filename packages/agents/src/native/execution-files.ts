/** Files that the native agent writes next to its execution's log. */
export const executionFiles = {
  /** Message counts of each request, step by step. */
  debug: "debug.log",
  /** See `McpRecord`. */
  mcpTools: "mcp-tools.json",
} as const;
