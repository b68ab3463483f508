import type { AgentOutput, JsonValue } from "@skein/contracts";
import { type LogRecord, mayWrite, parseLogRecord, type RecordWriter } from "@skein/contracts/log-record";
import { readFrame } from "@skein/contracts/record-frame";
import { type AgentAdapter, type AgentDecoder, asObject, type LogLine, stringField } from "@skein/engine";
import { createLegacyLogDecoder } from "./create-legacy-log-decoder.ts";
import { toRawOutput, toRecordOutputs } from "./record-outputs.ts";

/**
 * `start`: nothing was read. `before`: records of the runner before it starts the agent. `agent`: output of the agent and of its
 * program. `ended`: that program has reported its end. `legacy`: a log of a release that did not frame its records.
 */
type Phase = "start" | "before" | "agent" | "ended" | "legacy";

type SavedState = { phase: Phase; agent: JsonValue };

/**
 * Separates Skein's records from the agent's lines (X15), parses the records and passes the lines to the agent's decoder. A record
 * that does not match its schema, or is not allowed at its position, becomes raw output.
 *
 * The first line selects the format. The runner writes it before the agent exists, so an agent cannot choose.
 */
export async function createLogDecoder(
  adapter: Pick<AgentAdapter, "createDecoder" | "recordWriter">,
  { executionId, snapshot, ...context }: Parameters<AgentAdapter["createDecoder"]>[0],
): Promise<AgentDecoder> {
  const saved = asObject(snapshot);
  // earlier releases stored no phase; their state belongs to a legacy log
  let phase: Phase = snapshot === undefined ? "start" : ((stringField(saved, "phase") as Phase | undefined) ?? "legacy");
  const agent = await adapter.createDecoder({ executionId, ...context, ...(saved?.agent === undefined ? {} : { snapshot: saved.agent }) });
  const legacy = createLegacyLogDecoder(agent, { executionId, recordWriter: adapter.recordWriter, snapshot: saved });

  function decode(line: LogLine): AgentOutput[] {
    const frame = readFrame(line.text);
    if (phase === "start") phase = frame.type === "record" && parseLogRecord(frame.json)?.type === "log" ? "before" : "legacy";
    if (phase === "legacy") return legacy.decode(line);
    if (frame.type === "agent") return agent.decode({ ...line, text: frame.text });
    const record = parseLogRecord(frame.json);
    if (record === undefined || !isAllowed(record, line)) {
      return [toRawOutput(executionId, line, "This is not a record that Skein writes here.")];
    }
    if (record.type === "agent-started") phase = "agent";
    if (record.type === "end") phase = "ended";
    if (record.type === "usage-before") agent.setUsageBefore?.(record.usage);
    return toRecordOutputs(record, { line, executionId, isBefore: phase === "before" });
  }

  function isAllowed(record: LogRecord, { offset }: LogLine): boolean {
    if (record.type === "log") return offset === 0;
    const writer: RecordWriter = phase === "before" ? "runner" : adapter.recordWriter;
    return mayWrite(writer, record) && !(phase === "ended" && record.type === "end");
  }

  return {
    decode,
    snapshot: (): JsonValue => ({ ...(phase === "legacy" ? legacy.save() : {}), phase, agent: agent.snapshot() }) satisfies SavedState,
  };
}
