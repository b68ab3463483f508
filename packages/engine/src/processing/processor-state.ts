import type {
  ExecutionId,
  ImagePart,
  JsonValue,
  MessageId,
  ModelFailureText,
  ToolExecutionEndState,
  ToolExecutionMessage,
  Usage,
} from "@skein/contracts";
import type { ToolLedger } from "../pairing/tool-ledger.ts";

/*
 * A processor's complete state: plain JSON, only what is still open, and a bounded record of what has ended. Large parts (open messages,
 * open calls, waiting results) are separate entries, so that a commit stores only those that changed (T5).
 */

/** A text or thinking block of an open message. */
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
  /** A retry discarded it: it stays on the screen until the new stream produces output, and is not part of the message. */
  isVoid: boolean;
  parentToolUseId?: string | undefined;
  signature?: string | undefined;
  providerData?: JsonValue | undefined;
  model?: string | undefined;
  usage?: Usage | undefined;
}

/** A tool call of an open message. */
export interface ToolBlock {
  kind: "tool";
  index: number;
  /** Key of its call: the card is `<id>-merged`. */
  id: string;
  isVoid: boolean;
  toolUseId?: string | undefined;
  call: { id: string; name: string; arguments: string; providerData?: JsonValue | undefined };
}

/** A block of an open message. */
export type Block = TextBlock | ToolBlock;

/** The assistant message that blocks are being added to. There is one per level: the agent's own, and one per subagent. */
export interface OpenMessage {
  id: MessageId;
  /** Increases with every message and call: the order in which they began. */
  serial: number;
  /** The id in outputs; `id` differs if blocks arrived after it had been closed. */
  sourceId: MessageId;
  /** The tool use id of the subagent, empty for the agent itself. */
  level: string;
  createdAt: number;
  blocks: Block[];
  /** Position among the protocol messages, once it has been sent. */
  position?: number | undefined;
  changed: boolean;
  model?: string | undefined;
  usage?: Usage | undefined;
}

/** The position of a call's result in the protocol view. */
export interface ProtocolSlot {
  id: MessageId;
  position: number;
  toolCallId: string;
}

/** A tool execution that has not ended. */
export interface OpenCall {
  key: string;
  /** As `OpenMessage.serial`. */
  serial: number;
  toolUseId: string;
  toolName: string;
  input: JsonValue;
  at: number;
  /** The last activity: its start, its output, or anything inside it. Absent: `at`. */
  seenAt?: number | undefined;
  output: string;
  revision: number;
  parentToolUseId?: string | undefined;
  replaces?: string[] | undefined;
  slot?: ProtocolSlot | undefined;
}

/** A result as far as a card needs it; kept while it waits for its use. */
export interface ToolResultRecord {
  resultId: MessageId;
  output: string;
  isError: boolean;
  at: number;
  state?: ToolExecutionEndState | undefined;
  structured?: JsonValue | undefined;
  images?: ImagePart[] | undefined;
}

/** A model call that is being retried. */
export interface RetrySeries {
  /** When the first retry was reported. */
  at: number;
  attempt: number;
  reason: ModelFailureText;
}

/** Stored completely with every commit: bounded, whatever is open. */
export interface ProcessorCore {
  version: 2;
  executionId: ExecutionId;
  nextPosition: number;
  nextSerial: number;
  /** Recently ended cards: late results are added to them. */
  ended: ToolExecutionMessage[];
  /** Ids of closed messages, and how often they were reopened. */
  closed: [MessageId, number][];
  /** Revisions of standalone messages. */
  standalone: [string, number][];
  /** By message. */
  retries: [MessageId, RetrySeries][];
}

/** The complete state in memory, restored from the stored state and its entries. */
export interface ProcessorState extends ProcessorCore {
  /** The lists below come from a snapshot without entries: all of them are stored with the next one. */
  areEntriesNew: boolean;
  /** By level. */
  open: OpenMessage[];
  calls: OpenCall[];
  pairing: [string, ToolLedger<string, ToolResultRecord>][];
}

/** A named part of the state; null: deleted. */
export type SnapshotEntry = [name: string, value: JsonValue | null];

/** `state` replaces the previous one; `entries` are those that changed since, in order. */
export interface ProcessorSnapshot {
  state: JsonValue;
  entries: SnapshotEntry[];
}

/** Combines two consecutive snapshots. */
export function mergeEntries(before: readonly SnapshotEntry[], later: readonly SnapshotEntry[]): SnapshotEntry[] {
  const changed = new Set(later.map(([name]) => name));
  return [...before.filter(([name]) => !changed.has(name)), ...later];
}

const prefixes = { message: "message/", call: "call/", tool: "tool/" } as const;

/** The changed parts of a state as entries to store. */
export function toEntries(changes: {
  open: [string, OpenMessage | undefined][];
  calls: [string, OpenCall | undefined][];
  pairing: [string, ToolLedger<string, ToolResultRecord> | undefined][];
}): SnapshotEntry[] {
  const name = (prefix: string, list: [string, unknown][]): SnapshotEntry[] =>
    list.map(([key, value]) => [`${prefix}${key}`, value === undefined ? null : copyJson(value as JsonValue)]);
  return [...name(prefixes.message, changes.open), ...name(prefixes.call, changes.calls), ...name(prefixes.tool, changes.pairing)];
}

/** Restores a snapshot of this version, or of the first. */
export function readSnapshot({ state, entries }: ProcessorSnapshot, executionId: ExecutionId): ProcessorState {
  const core = state as unknown as Partial<ProcessorCore> | null;
  const version: unknown = core === null || typeof core !== "object" ? undefined : core.version;
  if (core === null || (version !== 1 && version !== 2)) {
    throw new Error("This processor snapshot was written by another version of Skein: read the execution's log from its start.");
  }
  if (core.executionId !== executionId) throw new Error(`This processor snapshot belongs to ${core.executionId}, not to ${executionId}.`);
  if (version === 1) return fromFirstVersion(state as unknown as FirstState);
  const take = <Value>(prefix: string): [string, Value][] =>
    entries.flatMap(([name, value]) =>
      name.startsWith(prefix) && value !== null ? [[name.slice(prefix.length), copyJson(value) as Value] as [string, Value]] : [],
    );
  return {
    ...(core as ProcessorCore),
    areEntriesNew: false,
    open: bySerial(take<OpenMessage>(prefixes.message)),
    calls: bySerial(take<OpenCall>(prefixes.call)),
    pairing: take<ToolLedger<string, ToolResultRecord>>(prefixes.tool),
  };
}

function bySerial<Value extends { serial: number }>(entries: readonly [string, Value][]): Value[] {
  return entries.map(([, value]) => value).sort((a, b) => a.serial - b.serial);
}

/** Everything in one value: for an execution that ran while Skein was updated. */
type FirstState = Omit<ProcessorState, "version" | "nextSerial" | "retries" | "areEntriesNew"> & Partial<Pick<ProcessorState, "retries">>;

function fromFirstVersion(state: FirstState): ProcessorState {
  const { open, calls } = copyJson(state as unknown as JsonValue) as unknown as FirstState;
  return {
    ...state,
    version: 2,
    areEntriesNew: true,
    retries: state.retries ?? [],
    open: open.map((message, index) => ({ ...message, serial: index })),
    calls: calls.map((call, index) => ({ ...call, serial: open.length + index })),
    nextSerial: open.length + calls.length,
  };
}

/** Stored values and the processor's state must not share objects. */
function copyJson(value: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}
