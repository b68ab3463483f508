import { type AgentOutput, agentOutputSchema, type ExecutionId, messageIdSchema } from "@skein/contracts";
import type { LogLine } from "@skein/engine";

/** One line is one record; whatever else stands in the log is shown as it is. */
export function decodeNativeLine(line: LogLine, { executionId }: { executionId: ExecutionId }): AgentOutput[] {
  if (line.text.trim() === "") return [];
  const record = parseRecord(line.text);
  if (record !== undefined) return [record];
  const messageId = messageIdSchema.parse(`msg_${executionId.slice("exe_".length)}_o${line.offset.toString(36)}`);
  return [{ type: "raw", messageId, text: line.text, reason: "This line is not a record of the native agent.", at: line.at }];
}

function parseRecord(text: string): AgentOutput | undefined {
  try {
    return agentOutputSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
