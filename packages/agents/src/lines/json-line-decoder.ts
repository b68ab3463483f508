import type { AgentOutput, ExecutionId, JsonValue } from "@skein/contracts";
import type { AgentDecoder, LogLine } from "@skein/engine";
import { createLineIds, type LineIds, toToolUseId } from "./execution-ids.ts";
import { type JsonObject, parseLine } from "./parse-line.ts";
import { toRawOutput } from "./unreadable-line.ts";

export interface DecoderOptions {
  executionId: ExecutionId;
  /** What `snapshot()` of the same decoder gave. */
  snapshot?: JsonValue;
}

/** All that a decoder needs to know of the line it reads, and where its outputs go. */
export interface LineContext {
  ids: LineIds;
  at: number;
  toolUseId(nativeId: string): string;
  emit(output: AgentOutput): void;
}

export interface JsonLineReader {
  /** False for an object that is none of the agent's: it is shown as it is. */
  read(value: JsonObject, context: LineContext): boolean;
  save(): JsonValue;
}

/** The part that all agents which speak JSON lines share: what cannot be read is kept and shown, and the rest goes on. */
export function createJsonLineDecoder({ executionId }: DecoderOptions, reader: JsonLineReader): AgentDecoder {
  return {
    decode(line) {
      const parsed = parseLine(line.text);
      if (parsed.type === "blank") return [];
      const ids = createLineIds(executionId, line);
      if (parsed.type === "unreadable") return [toRawOutput(line, ids.next(), parsed.reason)];
      const outputs: AgentOutput[] = [];
      const isKnown = reader.read(parsed.value, createContext(executionId, line, ids, outputs));
      return isKnown ? outputs : [toRawOutput(line, ids.next(), "This line is no event that this agent is known to send.")];
    },
    snapshot: () => reader.save(),
  };
}

function createContext(executionId: ExecutionId, line: LogLine, ids: LineIds, outputs: AgentOutput[]): LineContext {
  return {
    ids,
    at: line.at,
    toolUseId: (nativeId) => toToolUseId(executionId, nativeId),
    emit: (output) => outputs.push(output),
  };
}
