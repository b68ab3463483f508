import type { ToolExecution } from "@skein/contracts";
import { truncateCodePoints } from "@skein/engine";
import type { Paint } from "../terminal/style.ts";
import { toRevealedLine } from "../terminal/terminal-text.ts";
import { formatDuration } from "./duration.ts";

type EndedToolExecution = Exclude<ToolExecution, { state: "running" }>;

/** One line for a tool execution that ended: `✓ Read README.md  12 ms`, `✗ Ran ls nothing  exit 2  8 ms`. */
export function formatToolLine(content: string, tool: EndedToolExecution, paint: Paint): string {
  const well = tool.state === "completed" && !tool.isError;
  const mark = well ? paint("green", "✓") : paint("red", "✗");
  const notes = [describeEnd(tool), formatDuration(tool.durationMs)].filter((note) => note !== undefined);
  return `${mark} ${truncateCodePoints(toRevealedLine(content), longest)}  ${paint("dim", notes.join("  "))}`;
}

function describeEnd(tool: EndedToolExecution): string | undefined {
  switch (tool.state) {
    case "denied":
      return "denied";
    case "interrupted":
      return "interrupted";
    case "timed-out":
      return "timed out";
    case "completed":
    case "failed": {
      const exitCode = tool.details?.type === "commandOutput" ? tool.details.data.exitCode : null;
      if (exitCode !== null && exitCode !== 0) return `exit ${exitCode}`;
      return tool.isError || tool.state === "failed" ? "failed" : undefined;
    }
  }
}

const longest = 160;
