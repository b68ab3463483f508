import { toSubject } from "./summaries.ts";
import { hasSucceeded, type ToolObservation, type ToolProcessor } from "./tool-processor.ts";

const mcpName = /^mcp__(.+?)__(.+)$/s;

const endings: Readonly<Record<ToolObservation["state"], string>> = {
  running: "",
  completed: "",
  failed: " failed",
  denied: " was denied",
  interrupted: " was interrupted",
  "timed-out": " timed out",
};

/** Tools of MCP servers, `mcp__<server>__<tool>`: anything at all may come back, so its text and images are shown as they are. */
export const mcpProcessor: ToolProcessor = {
  toolNames: [],
  recognises: (toolName) => mcpName.test(toolName),
  present(observation) {
    const [, server = "", tool = ""] = mcpName.exec(observation.toolName) ?? [];
    const ending = observation.state === "completed" && !hasSucceeded(observation) ? endings.failed : endings[observation.state];
    return { summary: `${toSubject(server)}: ${toSubject(tool)}${ending}` };
  },
};
