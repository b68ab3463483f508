import type { MessageBody, ToolMessage } from "@skein/contracts";
import type { ForeignObject } from "./foreign-object.ts";
import { findSource, findUnit, type MessageFormat, type Unit } from "./message-format.ts";
import type { RepairChange } from "./repair-change.ts";

interface History {
  format: MessageFormat;
  units: readonly Unit[];
  /** Paired; bodies that did not change are those of the units. */
  bodies: readonly MessageBody[];
  changes: RepairChange[];
}

/** The messages of repaired bodies. A unit that did not change is written as it was. */
export function writeHistory({ format, units, bodies, changes }: History): ForeignObject[] {
  const written = new JoinedMessages(format, changes);
  const rewritten = new Set<Unit>();
  for (let at = 0; at < bodies.length; ) {
    const body = bodies[at] as MessageBody;
    const unit = findUnit(body);
    const results = takeResults(bodies, at);
    // an API that joins messages wants all results of an answer in one of them
    const isSplit = format.join !== undefined && results.length > 1;
    if (unit !== undefined && !isSplit && isIntact(unit, bodies, at)) {
      for (const message of unit.messages) written.keep(message);
      at += unit.bodies.length;
      continue;
    }
    if (unit?.isMalformed === true && !rewritten.has(unit)) changes.push({ type: "rewritten-message", index: indexOf(unit, units) });
    if (unit !== undefined) rewritten.add(unit);
    if (isSplit && results.filter((result) => findUnit(result) !== undefined).length > 1) changes.push({ type: "joined-messages" });
    const messages =
      body.role === "tool" ? writeResults(format, results) : unit === undefined ? [] : format.writeHead(unit, listCallIds(body));
    for (const message of messages) written.add(message);
    at += Math.max(results.length, 1);
  }
  return written.finish();
}

/** A message that is written anew is joined with its neighbours of the same role. */
class JoinedMessages {
  readonly #format: MessageFormat;
  readonly #changes: RepairChange[];
  readonly #messages: ForeignObject[] = [];
  readonly #isNew: boolean[] = [];

  constructor(format: MessageFormat, changes: RepairChange[]) {
    this.#format = format;
    this.#changes = changes;
  }

  keep(message: ForeignObject): void {
    this.#push(message, false);
  }

  add(message: ForeignObject): void {
    this.#push(message, true);
  }

  finish(): ForeignObject[] {
    const { opening } = this.#format;
    const role = this.#messages[0]?.role;
    if (opening === undefined || (role !== "assistant" && role !== "model")) return this.#messages;
    this.#changes.push({ type: "added-opening" });
    return [opening, ...this.#messages];
  }

  #push(message: ForeignObject, isNew: boolean): void {
    const last = this.#messages.at(-1);
    const canJoin = last !== undefined && (isNew || this.#isNew.at(-1) === true || this.#format.rejectsAdjacent?.(last, message) === true);
    const joined = canJoin ? this.#format.join?.(last, message) : undefined;
    if (joined === undefined) {
      this.#messages.push(message);
      this.#isNew.push(isNew);
      return;
    }
    this.#changes.push({ type: "joined-messages" });
    this.#messages[this.#messages.length - 1] = joined;
    this.#isNew[this.#isNew.length - 1] = true;
  }
}

function takeResults(bodies: readonly MessageBody[], from: number): ToolMessage[] {
  const results: ToolMessage[] = [];
  for (let at = from; bodies[at]?.role === "tool"; at++) results.push(bodies[at] as ToolMessage);
  return results;
}

function writeResults(format: MessageFormat, messages: readonly ToolMessage[]): readonly ForeignObject[] {
  return format.writeResults(
    messages.flatMap(({ content }) =>
      content.map((part) => {
        const found = findSource(part);
        return found === undefined ? format.createResult(part) : format.renameResult(found, part.toolCallId);
      }),
    ),
  );
}

function isIntact({ bodies, isMalformed }: Unit, all: readonly MessageBody[], at: number): boolean {
  return isMalformed !== true && bodies.every((body, i) => body === all[at + i]);
}

function listCallIds(body: MessageBody): string[] {
  return body.role === "assistant" ? (body.toolCalls ?? []).map(({ id }) => id) : [];
}

function indexOf(unit: Unit, units: readonly Unit[]): number {
  return units.slice(0, units.indexOf(unit)).reduce((sum, { messages }) => sum + messages.length, 0);
}
