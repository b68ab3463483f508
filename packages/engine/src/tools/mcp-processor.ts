import type { ToolProcessor } from "./tool-processor.ts";

const mcpName = /^mcp__(.+?)__(.+)$/s;

/** Tools of MCP servers, `mcp__<server>__<tool>`: their results can be anything, so text and images are shown unchanged. */
export const mcpProcessor: ToolProcessor = {
  toolNames: [],
  recognises: (toolName) => mcpName.test(toolName),
  present(observation) {
    const [, server = "", tool = ""] = mcpName.exec(observation.toolName) ?? [];
    return { summary: { action: "call", subject: `${server}: ${tool}` } };
  },
};
