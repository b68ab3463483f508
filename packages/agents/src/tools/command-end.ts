import type { CommandEnd } from "./run-command.ts";
import type { ToolOutcome } from "./tool.ts";

export interface DescribedEnd {
  state: ToolOutcome["state"];
  exitCode: number | null;
  line: string;
}

/** How a command ended: for the card, and as a line for the model. */
export function describeCommandEnd(end: CommandEnd, timeoutMs = 0): DescribedEnd {
  switch (end.type) {
    case "exited":
      return { state: end.exitCode === 0 ? "completed" : "failed", exitCode: end.exitCode, line: `[exit code ${end.exitCode}]` };
    case "killed":
      return { state: "failed", exitCode: null, line: `[ended by ${end.signal}]` };
    case "timed-out":
      return { state: "timed-out", exitCode: null, line: `[stopped after ${timeoutMs} ms; it may have done part of its work]` };
    case "aborted":
      return { state: "interrupted", exitCode: null, line: "[stopped by the user; it may have done part of its work]" };
    case "not-started":
      return { state: "failed", exitCode: null, line: `[the command could not be started: ${end.reason}]` };
  }
}
