import type { AgentOutput, ExecutionId, JsonValue } from "@skein/contracts";
import type { AgentDecoder, LogLine } from "@skein/engine";
import { ExecutionLineIds, type LineIds, toToolUseId } from "./execution-ids.ts";
import { type JsonObject, parseLine } from "./parse-line.ts";
import { toRawOutput } from "./unreadable-line.ts";

export interface DecoderOptions {
  executionId: ExecutionId;
  /** The attempt's folder: what “always” would allow depends on it. */
  directory?: string;
  /** The result of `snapshot()` of the same decoder. */
  snapshot?: JsonValue;
}

/** What a decoder needs to know about the current line, and where its outputs go. */
export interface LineContext {
  ids: LineIds;
  at: number;
  toolUseId(nativeId: string): string;
  emit(output: AgentOutput): void;
}

export interface JsonLineReader {
  /** False for an object that is not a message of the agent: it is shown as raw output. */
  read(value: JsonObject, context: LineContext): boolean;
  save(): JsonValue;
}

/** Shared by all agents with JSON lines: lines that cannot be read are kept and shown, and do not affect others. */
export function createJsonLineDecoder({ executionId }: DecoderOptions, reader: JsonLineReader): AgentDecoder {
  const scope = new LineScope(executionId);
  return {
    decode(line) {
      const parsed = parseLine(line.text);
      if (parsed.type === "blank") return [];
      const outputs = scope.enter(line);
      if (parsed.type === "unreadable") return [toRawOutput(line, scope.ids.next(), parsed.reason)];
      const isKnown = reader.read(parsed.value, scope);
      return isKnown ? outputs : [toRawOutput(line, scope.ids.next(), "This line is no event that this agent is known to send.")];
    },
    snapshot: () => reader.save(),
  };
}

/** One object for all lines of a log, which may have a million; valid only while a line is read. */
export class LineScope implements LineContext {
  at = 0;
  readonly ids: ExecutionLineIds;
  readonly toolUseId: (nativeId: string) => string;
  readonly emit: (output: AgentOutput) => void;
  #outputs: AgentOutput[] = [];

  constructor(executionId: ExecutionId) {
    this.ids = new ExecutionLineIds(executionId);
    this.toolUseId = (nativeId) => toToolUseId(executionId, nativeId);
    this.emit = (output) => this.#outputs.push(output);
  }

  /** Begins the next line, and returns the list for its outputs. */
  enter(line: Pick<LogLine, "at" | "offset">): AgentOutput[] {
    this.at = line.at;
    this.ids.enter(line);
    this.#outputs = [];
    return this.#outputs;
  }

  /** The outputs of this line so far, once each. */
  take(): AgentOutput[] {
    return this.#outputs.splice(0);
  }
}
