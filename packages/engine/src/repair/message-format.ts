import type { AssistantMessage, MessageBody, ToolCall, ToolResultPart } from "@skein/contracts";
import type { IdRules } from "../formats/identifiers/id-map.ts";
import { type ForeignObject, toJsonText, toText } from "./foreign-object.ts";

/**
 * Messages that are kept or rewritten together, and what they mean: the items of one answer, or a user message with results and text.
 * `bodies` have ids, order and whether there is content, not the content itself: what is kept is never converted.
 */
export interface Unit {
  messages: readonly ForeignObject[];
  bodies: readonly MessageBody[];
  /** The API rejects these messages although their calls and results are complete. */
  isMalformed?: boolean;
}

/** The messages of one API, for `repair`. */
export interface MessageFormat {
  /** A message that is not understood becomes a unit that is kept. */
  read(messages: readonly ForeignObject[]): Unit[];
  /** A unit without its results, with these call ids, in a form that the API accepts. */
  writeHead(unit: Unit, callIds: readonly string[]): readonly ForeignObject[];
  /** Results in the order of their calls, each in the form of `renameResult` or `createResult`. */
  writeResults(results: readonly ForeignObject[]): readonly ForeignObject[];
  renameResult(result: ForeignObject, id: string): ForeignObject;
  createResult(part: ToolResultPart): ForeignObject;
  /** The result with this text in place of its output. */
  replaceOutput(result: ForeignObject, text: string): ForeignObject;
  /** One message from two adjacent ones, where the API wants roles to alternate; undefined if they stay apart. */
  join?(first: ForeignObject, second: ForeignObject): ForeignObject | undefined;
  /** Whether the API rejects two adjacent messages that `join` could join. Others stay apart unless one of them is rewritten. */
  rejectsAdjacent?(first: ForeignObject, second: ForeignObject): boolean;
  /** Precedes a history that begins with an answer, where the API rejects that. */
  opening?: ForeignObject;
  /** Which call ids the API accepts. */
  ids: IdRules;
}

// Symbols are copied by spread: what was renamed still knows where it came from.
const source = Symbol("source");
const ownUnit = Symbol("unit");

/** Lets `findUnit` find the unit of each body. */
export function toUnit(unit: Unit): Unit {
  for (const body of unit.bodies) Object.assign(body, { [ownUnit]: unit });
  return unit;
}

/** Undefined for a body that a repair added. */
export function findUnit(body: MessageBody): Unit | undefined {
  return (body as MessageBody & { [ownUnit]?: Unit })[ownUnit];
}

/** A result that `renameResult` can rewrite. */
export function toResult(from: ForeignObject, { id, name }: { id: unknown; name?: unknown }): ToolResultPart {
  const part: ToolResultPart = { type: "tool-result", toolCallId: toText(id), toolName: toText(name), input: null, result: "" };
  return Object.assign(part, { [source]: from });
}

/** Undefined for a result that a repair added. */
export function findSource(part: ToolResultPart): ForeignObject | undefined {
  return (part as ToolResultPart & { [source]?: ForeignObject })[source];
}

export function toCall({ id, name, input }: { id: unknown; name: unknown; input: unknown }): ToolCall {
  const text = typeof input === "string" ? input : toJsonText(input ?? {});
  return { id: toText(id), type: "function", function: { name: toText(name), arguments: text } };
}

/** An answer with or without content of its own. */
export function toAnswer({ hasContent, calls }: { hasContent: boolean; calls: readonly ToolCall[] }): AssistantMessage {
  return { role: "assistant", content: hasContent ? "(content)" : "", ...(calls.length === 0 ? {} : { toolCalls: [...calls] }) };
}
