import type { AgentOutput, ExecutionId, JsonValue } from "@skein/contracts";
import { type LogRecord, logRecordSchema, mayWrite } from "@skein/contracts/log-record";
import { type AgentAdapter, type AgentDecoder, asObject, booleanField, type LogLine, stringField } from "@skein/engine";
import { toRecordOutputs } from "./record-outputs.ts";

const start = '{"skein":';

/** Types of the runner's records in earlier releases. */
const runnerTypes: Readonly<Record<string, LogRecord["type"]>> = {
  notice: "notice",
  "setup-started": "setup-started",
  "setup-output": "setup-output",
  "setup-ended": "setup-ended",
  agent: "agent-started",
};

export interface LegacyLogDecoder {
  decode(line: LogLine): AgentOutput[];
  save(): { isBefore: boolean };
}

/**
 * Decodes the log of an execution that an earlier release started and that may still run: records of its runner and drivers are
 * `{"skein":…}`, those of the native agent plain JSON. An agent could forge them; logs of this release are protected by the frame.
 */
export function createLegacyLogDecoder(
  agent: AgentDecoder,
  input: { executionId: ExecutionId; recordWriter: AgentAdapter["recordWriter"]; snapshot: { [key: string]: JsonValue } | undefined },
): LegacyLogDecoder {
  const { executionId, recordWriter } = input;
  let isBefore = booleanField(input.snapshot, "isBefore") ?? false;
  return {
    decode(line) {
      const runnerRecord = isBefore || line.offset === 0 ? parseRunnerRecord(line.text) : undefined;
      isBefore = runnerRecord !== undefined && runnerRecord.type !== "agent-started";
      if (runnerRecord !== undefined) return toRecordOutputs(runnerRecord, { line, executionId, isBefore: true });
      const record = parseWritten[recordWriter](line.text);
      if (record === undefined || !mayWrite(recordWriter, record)) return agent.decode(line);
      return toRecordOutputs(record, { line, executionId, isBefore: false });
    },
    save: () => ({ isBefore }),
  };
}

const parseWritten: Readonly<Record<AgentAdapter["recordWriter"], (text: string) => LogRecord | undefined>> = {
  native: (text) => parseRecord(readJson(text)),
  driver: (text) => (text.startsWith(start) ? parseRecord(asObject(readJson(text))?.skein) : undefined),
};

function parseRunnerRecord(text: string): LogRecord | undefined {
  const value = text.startsWith(start) ? asObject(readJson(text)) : undefined;
  const type = runnerTypes[stringField(value, "skein") ?? ""];
  return value === undefined || type === undefined ? undefined : parseRecord({ ...value, type });
}

function parseRecord(value: JsonValue | undefined): LogRecord | undefined {
  try {
    return logRecordSchema.safeParse(value).data;
  } catch {
    return undefined; // nested too deeply
  }
}

function readJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
