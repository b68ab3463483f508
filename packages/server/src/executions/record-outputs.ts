import { type AgentOutput, type ExecutionId, type MessageId, messageIdSchema } from "@skein/contracts";
import type { LogRecord } from "@skein/contracts/log-record";
import type { LogLine } from "@skein/engine";

/** Converts a record of Skein to outputs. Ids and times that it does not carry are derived from its position in the log. */
export function toRecordOutputs(
  record: LogRecord,
  { line, executionId, isBefore }: { line: LogLine; executionId: ExecutionId; isBefore: boolean },
): AgentOutput[] {
  const { at, offset } = line;
  const name = toName(executionId);
  const setup = { messageId: messageIdSchema.parse(`msg_${name}_setup`), toolUseId: `setup_${name}`, toolName: "setup" };
  switch (record.type) {
    case "log":
    case "agent-started":
    case "usage-before":
      return [];
    case "setup-started":
      return [{ type: "tool-use", ...setup, input: { command: record.script }, index: 0, ofSkein: true, at }];
    case "setup-output":
      return [{ type: "tool-progress", toolUseId: setup.toolUseId, text: record.text, at }];
    case "setup-ended": {
      const { exitCode, signal, timedOut, stdout, stderr, startError } = record;
      const isError = exitCode !== 0;
      // an external signal or a user's stop: the script itself did not fail
      const state = timedOut ? "timed-out" : signal !== null ? "interrupted" : isError ? "failed" : "completed";
      const output = [stdout, stderr, startError].filter((text) => text !== undefined && text !== "").join("\n");
      const structured = { stdout, stderr: startError ?? stderr, exitCode };
      const resultId = messageIdSchema.parse(`${setup.messageId}_result`);
      const { toolUseId, toolName } = setup;
      return [{ type: "tool-result", resultId, toolUseId, toolName, output, isError, state, structured, at }];
    }
    case "notice":
      return isBefore
        ? [{ ...record, messageId: messageIdSchema.parse(`msg_${name}_before_${offset}`), code: "before-agent", at }]
        : [{ ...record, messageId: record.messageId ?? toLineMessageId(executionId, line), at: record.at ?? at }];
    case "error":
      return [{ ...record, messageId: record.messageId ?? toLineMessageId(executionId, line), at: record.at ?? at }];
    case "session":
    case "user-message":
    case "approval-withdrawn":
    case "end":
      return [{ ...record, at: record.at ?? at }];
    default:
      return [record];
  }
}

/** Keeps a line that cannot be parsed as raw output. */
export function toRawOutput(executionId: ExecutionId, line: LogLine, reason: string): AgentOutput {
  return { type: "raw", messageId: toLineMessageId(executionId, line), text: line.text, reason, at: line.at };
}

function toLineMessageId(executionId: ExecutionId, { offset }: LogLine): MessageId {
  return messageIdSchema.parse(`msg_${toName(executionId)}_o${offset.toString(36)}`);
}

function toName(executionId: ExecutionId): string {
  return executionId.slice("exe_".length);
}
