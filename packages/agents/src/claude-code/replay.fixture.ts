import { readdirSync, readFileSync } from "node:fs";
import type { AgentOutput, ConversationMessage, ExecutionId, JsonValue } from "@skein/contracts";
import { createMessageProcessor, type LogLine, type MessageDraft, mergeEntries, type SnapshotEntry } from "@skein/engine";
import { createClaudeCodeDecoder } from "./create-claude-code-decoder.ts";

const folder = new URL("./__fixtures__/", import.meta.url);

export const executionId = "exe_t" as ExecutionId;

/** Recordings of stdout by name; `.bidi` files have both directions. */
export const traceNames = readdirSync(folder)
  .filter((name) => name.endsWith(".ndjson") && !name.endsWith(".bidi.ndjson"))
  .map((name) => name.slice(0, -".ndjson".length))
  .sort();

/** Recordings of both directions. */
export const bidirectionalNames = readdirSync(folder)
  .filter((name) => name.endsWith(".bidi.ndjson"))
  .map((name) => name.slice(0, -".bidi.ndjson".length))
  .sort();

export interface Exchange {
  dir: "stdin" | "stdout";
  /** Absent if stdin was closed, or if it was not JSON. */
  msg?: JsonValue;
}

export function readExchange(name: string): Exchange[] {
  return toLogLines(readFileSync(new URL(`${name}.bidi.ndjson`, folder), "utf8")).map((line) => JSON.parse(line.text));
}

export function readTrace(name: string): LogLine[] {
  return toLogLines(readFileSync(new URL(`${name}.ndjson`, folder), "utf8"));
}

/** As in a log: one millisecond later per line. */
export function toLogLines(text: string): LogLine[] {
  let offset = 0;
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line, index) => {
    const logLine = { text: line, offset, at: 1000 + index };
    offset += Buffer.byteLength(line) + 1;
    return logLine;
  });
}

/** A line as an agent writes it. */
export function lineOf(value: JsonValue, index = 0): LogLine {
  return { text: JSON.stringify(value), offset: index * 1000, at: 1000 + index };
}

export interface Replay {
  outputs: AgentOutput[];
  /** A client's state at the end: the last revision of every message, without messages that cards replaced. */
  shown: ConversationMessage[];
  stored: MessageDraft[];
  /** Every revision that was sent, in order. */
  sent: ConversationMessage[];
}

/** Decodes and processes a log; at the lines in `restartAt` both continue from their snapshots, as after a crash. */
export function replay(lines: readonly LogLine[], options: { restartAt?: ReadonlySet<number> } = {}): Replay {
  let decoder = createClaudeCodeDecoder({ executionId });
  let processor = createMessageProcessor({ executionId });
  let kept: SnapshotEntry[] = [];
  const outputs: AgentOutput[] = [];
  const sent: ConversationMessage[] = [];
  const stored = new Map<string, MessageDraft>();
  const keep = (step: { conversation: ConversationMessage[]; messages: MessageDraft[] }) => {
    sent.push(...step.conversation);
    for (const draft of step.messages) stored.set(draft.id, draft);
  };
  for (const [index, line] of lines.entries()) {
    if (options.restartAt?.has(index)) {
      decoder = createClaudeCodeDecoder({ executionId, snapshot: throughJson(decoder.snapshot()) });
      const { state, entries } = throughJson(processor.snapshot());
      kept = mergeEntries(kept, entries);
      processor = createMessageProcessor({ executionId, snapshot: { state, entries: kept } });
    }
    for (const output of decoder.decode(line)) {
      outputs.push(output);
      keep(processor.apply(output));
    }
  }
  keep(processor.settle({ at: 9000, reason: "The agent ended." }));
  return { outputs, shown: toShown(sent), stored: [...stored.values()].sort((a, b) => a.position - b.position), sent };
}

function throughJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}

function toShown(sent: readonly ConversationMessage[]): ConversationMessage[] {
  const last = new Map(sent.map((message) => [message.id, message]));
  const replaced = new Set(
    [...last.values()].flatMap((message) => (message.messageType === "tool_execution" ? (message.metadata.replaces ?? []) : [])),
  );
  return [...last.values()].filter((message) => !replaced.has(message.id));
}
