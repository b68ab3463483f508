import type { AgentOutput, ExecutionEndStatus } from "@skein/contracts";
import type { AgentExit } from "../runner/execution-folder.ts";

export interface ObservedEnd {
  /** The agent's own closing record. */
  closing: Extract<AgentOutput, { type: "end" }> | undefined;
  /** Undefined when the runner is gone and nobody saw the agent end. */
  exit: AgentExit | undefined;
  stopRequested: boolean;
  /** Whether an agent of this kind always closes with a record: then one that did not was cut off. */
  closesItself: boolean;
  lastErrorLine: string;
}

/** How an execution ended, and one sentence for the person when it did not succeed. */
export function toExecutionEnd(observed: ObservedEnd): { status: ExecutionEndStatus; reason: string | null } {
  const { closing, exit } = observed;
  if (closing?.status === "success") return { status: "success", reason: null };
  if (observed.stopRequested || closing?.status === "cancelled") return { status: "cancelled", reason: "Stopped." };
  if (closing !== undefined) return { status: "failed", reason: closing.reason ?? "The agent reported a failure." };
  if (exit === undefined) {
    return {
      status: "interrupted",
      reason: "The agent's process was lost: it, or the machine, was stopped from outside. Send a message to go on.",
    };
  }
  if (exit.interrupted !== undefined) return { status: "interrupted", reason: exit.interrupted };
  if (exit.notStarted !== undefined) return { status: "failed", reason: exit.notStarted };
  if (exit.startError !== undefined) return { status: "failed", reason: `The agent could not be started: ${exit.startError}` };
  if (exit.signal !== null) return { status: "interrupted", reason: `The agent was ended by ${exit.signal}. Send a message to go on.` };
  if (exit.exitCode !== 0) {
    const detail = observed.lastErrorLine === "" ? "" : ` ${observed.lastErrorLine}`;
    return { status: "failed", reason: `The agent ended with exit code ${exit.exitCode}.${detail}` };
  }
  return observed.closesItself
    ? { status: "interrupted", reason: "The agent ended without finishing its answer. Send a message to go on." }
    : { status: "success", reason: null };
}
