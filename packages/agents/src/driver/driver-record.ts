import type { AgentOutput, ImagePart, MessageId } from "@skein/contracts";
import type { AgentDecoder } from "@skein/engine";
import { createLineIds } from "../lines/execution-ids.ts";
import type { DecoderOptions } from "../lines/json-line-decoder.ts";

/** What a driver itself has to say, in the log between the lines of its agent. */
export type DriverRecord =
  | { type: "notice"; text: string; code?: string }
  | { type: "error"; text: string; code?: string; hint?: string }
  | { type: "session"; sessionId: string; model?: string }
  /** A message of the person that reached the agent while it worked. */
  | { type: "user-message"; messageId: MessageId; text: string; images?: ImagePart[] }
  /** The agent took its question back. */
  | { type: "approval-withdrawn"; toolUseId: string }
  | { type: "end"; status: "success" | "failed" | "cancelled"; reason?: string; code?: string };

const start = '{"skein":';

export function encodeDriverRecord(record: DriverRecord): string {
  return `${start}${JSON.stringify(record)}}`;
}

/** Reads the driver's own lines, and leaves all others to the decoder of its agent. */
export function withDriverRecords(decoder: AgentDecoder, { executionId }: DecoderOptions): AgentDecoder {
  return {
    decode(line) {
      if (!line.text.startsWith(start)) return decoder.decode(line);
      const record = parseRecord(line.text);
      if (record === undefined) return decoder.decode(line);
      return [toOutput(record, () => createLineIds(executionId, line).next(), line.at)];
    },
    snapshot: () => decoder.snapshot(),
  };
}

function parseRecord(text: string): DriverRecord | undefined {
  try {
    return (JSON.parse(text) as { skein: DriverRecord }).skein;
  } catch {
    return undefined;
  }
}

function toOutput(record: DriverRecord, nextId: () => MessageId, at: number): AgentOutput {
  switch (record.type) {
    case "notice":
    case "error":
      return { ...record, messageId: nextId(), at };
    default:
      return { ...record, at };
  }
}
