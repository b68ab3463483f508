import type { AgentOutput, ExecutionId, JsonValue } from "@skein/contracts";
import type { AgentDecoder, LogLine } from "@skein/engine";
import { ExecutionLineIds, type LineIds, toToolUseId } from "./execution-ids.ts";
import { type JsonObject, parseLine } from "./parse-line.ts";
import { toRawOutput } from "./unreadable-line.ts";

export interface DecoderOptions {
  executionId: ExecutionId;
  /** The attempt's folder: what “always” would allow depends on what is inside of it. */
  directory?: string;
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

/** The part that all agents which speak JSON lines share: lines that cannot be read are kept and shown, and do not affect the others. */
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

/** One for all lines of a log: it is looked at only while a line is read, and there may be a million of them. */
class LineScope implements LineContext {
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

  enter(line: LogLine): AgentOutput[] {
    this.at = line.at;
    this.ids.enter(line);
    this.#outputs = [];
    return this.#outputs;
  }
}
