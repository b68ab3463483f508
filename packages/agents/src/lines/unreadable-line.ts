import type { AgentOutput, MessageId } from "@skein/contracts";
import type { LogLine } from "@skein/engine";

/** A line that no schema reads is kept and shown. */
export function toRawOutput(line: LogLine, messageId: MessageId, reason: string): AgentOutput {
  return { type: "raw", messageId, text: line.text, reason, at: line.at };
}
