import type { ExecutionId, ImagePart, JsonValue, MessageId, ToolExecutionEndState, ToolExecutionMessage, Usage } from "@skein/contracts";
import type { ToolLedger } from "../pairing/tool-ledger.ts";

/*
 * All that a processor remembers: plain JSON, only what is still open, and a bounded memory of what has ended.
 */

export interface TextBlock {
  kind: "text" | "thinking";
  index: number;
  /** Id of its conversation message. */
  id: string;
  at: number;
  text: string;
  /** 0 until it is shown: an empty block is not. */
  revision: number;
  streaming: boolean;
  /** A retry took it back: it stays on the screen until the new stream says something, and is no part of the message. */
  isVoid: boolean;
  parentToolUseId?: string | undefined;
  signature?: string | undefined;
  providerData?: JsonValue | undefined;
  model?: string | undefined;
  usage?: Usage | undefined;
}

export interface ToolBlock {
  kind: "tool";
  index: number;
  /** Key of its call: the card is `<id>-merged`. */
  id: string;
  isVoid: boolean;
  toolUseId?: string | undefined;
  call: { id: string; name: string; arguments: string; providerData?: JsonValue | undefined };
}

export type Block = TextBlock | ToolBlock;

/** The assistant message that blocks are being added to. There is one per level: the agent's own, and one per subagent. */
export interface OpenMessage {
  id: MessageId;
  /** The id that outputs call it by; `id` differs when blocks came after it had been closed. */
  sourceId: MessageId;
  /** The tool use id of the subagent that speaks, empty for the agent itself. */
  level: string;
  createdAt: number;
  blocks: Block[];
  /** Position among the protocol messages, once it has been sent there. */
  position?: number | undefined;
  changed: boolean;
  model?: string | undefined;
  usage?: Usage | undefined;
}

/** Where the result of a call goes in the protocol view. */
export interface ProtocolSlot {
  id: MessageId;
  position: number;
  toolCallId: string;
}

/** A tool execution that has not ended. */
export interface OpenCall {
  key: string;
  toolUseId: string;
  toolName: string;
  input: JsonValue;
  at: number;
  output: string;
  revision: number;
  parentToolUseId?: string | undefined;
  replaces?: string[] | undefined;
  slot?: ProtocolSlot | undefined;
}

/** A result as far as a card needs it; it is kept while it waits for its use. */
export interface ToolResultRecord {
  resultId: MessageId;
  output: string;
  isError: boolean;
  at: number;
  state?: ToolExecutionEndState | undefined;
  structured?: JsonValue | undefined;
  images?: ImagePart[] | undefined;
}

/** A model call that is being made again. */
export interface RetrySeries {
  /** When the first retry was told. */
  at: number;
  attempt: number;
  reason: string;
}

export interface ProcessorState {
  version: 1;
  executionId: ExecutionId;
  nextPosition: number;
  open: OpenMessage[];
  calls: OpenCall[];
  /** Cards that ended lately: a late result is added to them. */
  ended: ToolExecutionMessage[];
  /** Ids of messages that were closed, and how often they were opened again. */
  closed: [MessageId, number][];
  /** Revisions of messages that stand alone. */
  standalone: [string, number][];
  /** By message; absent in states that were written before it was kept. */
  retries?: [MessageId, RetrySeries][] | undefined;
  pairing: [string, ToolLedger<string, ToolResultRecord>][];
}

/** Restores what `snapshot()` of this version wrote. */
export function readSnapshot(snapshot: JsonValue, executionId: ExecutionId): ProcessorState {
  const state = snapshot as unknown as Partial<ProcessorState> | null;
  if (state === null || typeof state !== "object" || state.version !== 1) {
    throw new Error("This processor snapshot was written by another version of Skein: read the execution's log from its start.");
  }
  if (state.executionId !== executionId) throw new Error(`This processor snapshot belongs to ${state.executionId}, not to ${executionId}.`);
  return state as ProcessorState;
}
