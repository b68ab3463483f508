import { type CheckRun, type ConversationMessage, type ExecutionId, messageIdSchema, type ToolExecution } from "@skein/contracts";
import { formatToolSummary } from "@skein/engine";

type Started = Exclude<CheckRun, { state: "waiting" | "not-run" }>;

const endStates = {
  passed: "completed",
  failed: "failed",
  "timed-out": "timed-out",
  stopped: "interrupted",
  interrupted: "interrupted",
} as const;

/** The card of a check in the conversation: like a command of the agent, with exit code and output. */
export function toCheckCard(
  check: Started,
  { executionId, script, output }: { executionId: ExecutionId; script: string; output: string },
): ConversationMessage {
  const exitCode = check.state === "running" ? null : check.exitCode;
  const common = {
    executionId,
    toolName: "check",
    toolUseId: check.id,
    input: { command: script },
    output,
    details: { type: "commandOutput" as const, data: { command: script, stdout: output, stderr: "", exitCode } },
  };
  const summary = { action: "check" as const, state: check.state === "running" ? ("running" as const) : endStates[check.state] };
  const metadata: ToolExecution =
    check.state === "running"
      ? { ...common, summary, state: "running", isError: false }
      : {
          ...common,
          summary,
          state: endStates[check.state],
          isError: check.state !== "passed",
          durationMs: check.endedAt - check.startedAt,
        };
  return {
    id: messageIdSchema.parse(`msg_${check.id.slice("chk_".length)}_check`),
    role: "assistant",
    messageType: "tool_execution",
    content: formatToolSummary(summary),
    timestamp: check.startedAt,
    revision: check.state === "running" ? 1 : 2,
    metadata,
  };
}
