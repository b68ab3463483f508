import type { MessageBody } from "@skein/contracts";
import { IdMap } from "../formats/identifiers/id-map.ts";
import { dropInvalidMessages } from "../request/drop-invalid-messages.ts";
import { fixToolPairs } from "../request/fix-tool-pairs.ts";
import type { ForeignObject } from "./foreign-object.ts";
import { formats } from "./formats.ts";
import { type MessageFormat, toUnit, type Unit } from "./message-format.ts";
import type { RepairChange } from "./repair-change.ts";
import type { RepairProvider } from "./repair-provider.ts";
import { writeHistory } from "./write-history.ts";

/** What `repair` returns. */
export interface Repaired<Message> {
  /** The same array if nothing had to change; messages that did not change are the same objects. */
  messages: Message[];
  changes: RepairChange[];
}

/**
 * Makes a history acceptable to the API that it is for, and changes nothing else: every call gets exactly one result, right after it,
 * in call order; results without a call are dropped; a call without a result gets an error result. Repairing twice changes nothing more.
 *
 * Messages are read as the API documents them. Parts that are not known are kept as they are.
 *
 * @example
 * const { messages, changes } = repair(history, { provider: "anthropic" });
 */
export function repair<Message extends object>(
  messages: readonly Message[],
  { provider }: { provider: RepairProvider },
): Repaired<Message> {
  const format = formats[provider];
  const units = format.read(messages as readonly ForeignObject[]).map(toUnit);
  const changes: RepairChange[] = [];
  const bodies = listKept(units, changes);
  const fixed = fixToolPairs(bodies);
  changes.push(...fixed.repairs);
  const written = writeHistory({ format, units, bodies: mapIds(fixed.messages, format, changes), changes });
  const isUnchanged = written.length === messages.length && written.every((message, i) => message === messages[i]);
  return { messages: isUnchanged ? (messages as Message[]) : (written as Message[]), changes };
}

/** All bodies except those of empty answers. */
function listKept(units: readonly Unit[], changes: RepairChange[]): MessageBody[] {
  let index = 0;
  return units.flatMap((unit) => {
    const kept = dropInvalidMessages(unit.bodies);
    if (kept.length < unit.bodies.length) changes.push({ type: "dropped-message", index });
    index += unit.messages.length;
    return kept;
  });
}

/** Replaces ids that the API does not accept, in calls and in their results. */
function mapIds(bodies: readonly MessageBody[], format: MessageFormat, changes: RepairChange[]): readonly MessageBody[] {
  const ids = new IdMap(format.ids);
  return bodies.map((body) => {
    if (body.role === "tool") {
      const content = body.content.map((part) => withId(part, "toolCallId", ids.map(part.toolCallId)));
      return content.every((part, i) => part === body.content[i]) ? body : { ...body, content };
    }
    if (body.role !== "assistant" || body.toolCalls === undefined) return body;
    const toolCalls = body.toolCalls.map((call) => {
      const id = ids.map(call.id);
      if (id !== call.id) changes.push({ type: "renamed-call", toolCallId: id, from: call.id });
      return withId(call, "id", id);
    });
    return toolCalls.every((call, i) => call === body.toolCalls?.[i]) ? body : { ...body, toolCalls };
  });
}

function withId<Part, Key extends keyof Part>(part: Part, key: Key, id: Part[Key]): Part {
  return part[key] === id ? part : { ...part, [key]: id };
}
