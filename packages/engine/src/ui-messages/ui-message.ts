import type { ImagePart, JsonValue, TextPart, ToolResultPart } from "@skein/contracts";
import type { ToolLedger } from "../pairing/tool-ledger.ts";

interface ToolPartBase {
  type: "tool";
  /** The id of the call. */
  id: string;
  name: string;
  input: JsonValue;
}

/** A tool in the UI: called, or called and answered. */
export type UIToolPart = ToolPartBase &
  ({ state: "tool_use" } | { state: "tool_result"; result: ToolResultPart["result"]; isError: boolean });

/** A part of a UI message. */
export type UIPart = TextPart | ImagePart | { type: "reasoning"; text: string } | UIToolPart;

/** A message of role `tool` has results without a call. */
export interface UIMessage {
  /** Unique and increasing, even if a history has two messages with the same id. */
  key: number;
  id: string | number;
  role: "system" | "user" | "assistant" | "tool";
  parts: readonly UIPart[];
}

/** A result without a call: shown by itself. */
export interface UnmatchedResult {
  type: "unmatched-result";
  messageId: string | number;
  toolCallId: string;
}

/** The position of a part: its message's key and its index. */
export interface PartPlace {
  key: number;
  part: number;
}

/** UI messages, and the state needed to add to them. */
export interface UIConversation {
  readonly messages: readonly UIMessage[];
  readonly reports: readonly UnmatchedResult[];
  /** What is known about each tool call id; results that wait for their call are identified by position. */
  readonly ledgers: ReadonlyMap<string, ToolLedger<PartPlace, PartPlace>>;
  readonly nextKey: number;
}

/** A conversation without messages. */
export const emptyUIConversation: UIConversation = { messages: [], reports: [], ledgers: new Map(), nextKey: 0 };
