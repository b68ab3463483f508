import type { JsonValue } from "@skein/contracts";
import type { LogLine } from "@skein/engine";
import { lineOf } from "./replay.fixture.ts";

/* Lines in the format of the recordings, for cases that no recording has. */

export interface LineOptions {
  parent?: string;
  model?: string;
}

export function assistant(id: string, blocks: JsonValue[], options: LineOptions = {}): JsonValue {
  return {
    type: "assistant",
    message: { id, role: "assistant", model: options.model ?? "claude-x", content: blocks, stop_reason: null },
    parent_tool_use_id: options.parent ?? null,
  };
}

export function text(words: string): JsonValue {
  return { type: "text", text: words };
}

export function use(id: string, name = "Bash", input: JsonValue = { command: "ls" }): JsonValue {
  return { type: "tool_use", id, name, input };
}

export function results(blocks: JsonValue[], more: { [key: string]: JsonValue } = {}): JsonValue {
  return { type: "user", message: { role: "user", content: blocks }, parent_tool_use_id: null, ...more };
}

export function resultOf(id: string, content: JsonValue, isError = false): JsonValue {
  return { type: "tool_result", tool_use_id: id, content, is_error: isError };
}

export function streamEvent(event: { [key: string]: JsonValue }, parent: string | null = null): { [key: string]: JsonValue } {
  return { type: "stream_event", event, parent_tool_use_id: parent };
}

export function textDelta(index: number, words: string): JsonValue {
  return streamEvent({ type: "content_block_delta", index, delta: { type: "text_delta", text: words } });
}

export function messageStart(id: string): JsonValue {
  return streamEvent({ type: "message_start", message: { id, model: "claude-x", content: [] } });
}

export function asLog(...values: JsonValue[]): LogLine[] {
  return values.map((value, index) => lineOf(value, index));
}
