import type { CompressionSummary, MessageBody } from "@skein/contracts";
import { type AcceptedMessage, normalizeMessage } from "../legacy/normalize-message.ts";
import { findSummaryPlace, type RequestMessage, type SummaryPlace } from "./apply-compression.ts";
import { claimCallIds, releaseCallIds } from "./claim-call-ids.ts";
import { type PreparedRange, prepareRange, type Range } from "./prepare-range.ts";
import type { PairRepair } from "./repair-history.ts";
import { RequestBuffer } from "./request-buffer.ts";
import { takeRight } from "./take-right.ts";

/** What the steps made of a history. No pair reaches from `settled` into `tail`. */
export interface PreparedHistory {
  settled: RequestBuffer;
  tail: readonly MessageBody[];
  compressedCount: number;
  validCount: number;
  repairs: readonly PairRepair[];
}

/** So few that they are still in the processor's cache when the next step reads them. */
const rangeLength = 256;

/**
 * Takes a history through the steps, one range after the other, and remembers the outcome of all but its last block (a
 * message and the results that follow it). A history that begins with the same messages costs only what is new; any other
 * is done whole. Messages are the same when they are the same object, or have the same id and body: whoever changes one
 * puts another in its place.
 */
export class RequestHistory {
  #messages: RequestMessage[] = [];
  #place: SummaryPlace | null = null;
  #settled = new RequestBuffer();
  #callIds = new Set<string>();
  #waiting = new Set<string>();
  #repairs: readonly PairRepair[] = [];
  #compressedCount = 0;
  #validCount = 0;

  /** The first `sameCount` messages are those of the last call: whoever knows it spares the comparison. */
  prepare(messages: readonly RequestMessage[], summary: CompressionSummary | null, { sameCount = 0 } = {}): PreparedHistory {
    if (!this.#isContinuedBy(messages, { summary, sameCount })) this.#restart(messages, summary);
    const lastBlock = findBlock(messages, { from: this.#messages.length, to: messages.length });
    this.#settleUpTo(lastBlock, messages);

    const tail = this.#prepareRange(messages, { from: lastBlock, to: messages.length });
    if (tail === undefined) {
      const whole = prepareRange(messages, { place: this.#place, range: { from: 0, to: messages.length }, taken: new Set() });
      return { ...whole, settled: new RequestBuffer(), tail: whole.messages };
    }
    releaseCallIds(tail.messages, this.#callIds);
    return {
      settled: this.#settled,
      tail: tail.messages,
      compressedCount: this.#compressedCount + tail.compressedCount,
      validCount: this.#validCount + tail.validCount,
      repairs: this.#repairs.concat(tail.repairs),
    };
  }

  #isContinuedBy(
    messages: readonly RequestMessage[],
    { summary, sameCount }: { summary: CompressionSummary | null; sameCount: number },
  ): boolean {
    const known = this.#messages;
    if (known.length === 0 || messages.length < known.length || summary !== (this.#place?.summary ?? null)) return false;
    if (this.#place !== null && !(this.#place.isFixed && this.#place.position < known.length)) return false;
    const next = messages[known.length];
    if (next !== undefined && beginsWithResult(next.body)) return false;
    return startsWith(messages, known, sameCount);
  }

  #restart(messages: readonly RequestMessage[], summary: CompressionSummary | null): void {
    this.#place = findSummaryPlace(messages, summary);
    this.#forget();
  }

  #forget(): void {
    this.#messages = [];
    this.#settled = new RequestBuffer();
    this.#callIds = new Set();
    this.#waiting = new Set();
    this.#repairs = [];
    this.#compressedCount = 0;
    this.#validCount = 0;
  }

  #settleUpTo(end: number, messages: readonly RequestMessage[]): void {
    let from = this.#messages.length;
    while (from < end) {
      from += this.#takeRight(messages, { from, to: end });
      if (from >= end) break;
      const to = from + rangeLength < end ? findBlock(messages, { from, to: from + rangeLength + 1 }) : end;
      const range = { from, to: to > from ? to : end };
      let prepared = this.#prepareRange(messages, range);
      if (prepared === undefined) {
        this.#forget();
        range.to = end;
        prepared = prepareRange(messages, { place: this.#place, range: { from: 0, to: end }, taken: this.#callIds });
      }
      this.#settle(prepared);
      from = range.to;
    }
    if (this.#messages.length === 0) this.#messages = messages.slice(0, end);
    else for (const message of messages.slice(this.#messages.length, end)) this.#messages.push(message);
  }

  /** How many messages at the start of the range were settled as they are. */
  #takeRight(messages: readonly RequestMessage[], range: Range): number {
    if (this.#place !== null) return 0;
    const count = this.#settled.fill((bodies) => takeRight(messages, range, bodies, this.#callIds));
    this.#compressedCount += count;
    this.#validCount += count;
    return count;
  }

  /** Undefined when a result may belong to a call that is settled, or a call to a result that is: then both are paired as one. */
  #prepareRange(messages: readonly RequestMessage[], range: Range): PreparedRange | undefined {
    const prepared = prepareRange(messages, { place: this.#place, range, taken: this.#callIds });
    const { calls, results } = prepared.looseEnds;
    if (calls.length === 0 && results.length === 0) return prepared;
    releaseCallIds(prepared.messages, this.#callIds);
    const reachesBack =
      (prepared.beginsWithResult && range.from > 0) ||
      results.some((id) => id === "" || this.#callIds.has(id)) ||
      calls.some((id) => this.#waiting.has(id));
    if (reachesBack) return undefined;
    claimCallIds(prepared.messages, this.#callIds);
    return prepared;
  }

  #settle(range: PreparedRange): void {
    this.#settled.append(range.messages);
    for (const id of range.looseEnds.waiting) this.#waiting.add(id);
    if (range.repairs.length > 0) this.#repairs = this.#repairs.concat(range.repairs);
    this.#compressedCount += range.compressedCount;
    this.#validCount += range.validCount;
  }
}

/** Where the last block of a range begins; its start when there is no other. */
function findBlock(messages: readonly RequestMessage[], { from, to }: Range): number {
  for (let i = to - 1; i > from; i--) {
    const message = messages[i];
    if (message !== undefined && !beginsWithResult(message.body)) return i;
  }
  return Math.min(from, messages.length);
}

function beginsWithResult(body: AcceptedMessage): boolean {
  return body.role === "tool" || (body.role === "user" && normalizeMessage(body)[0]?.role === "tool");
}

function startsWith(messages: readonly RequestMessage[], start: readonly RequestMessage[], sameCount: number): boolean {
  for (let i = sameCount; i < start.length; i++) {
    // `===` looks into both objects to see whether they are texts, which takes ten times as long where they are not in the cache.
    if (!Object.is(messages[i], start[i]) && !isSame(messages[i], start[i])) return false;
  }
  return true;
}

function isSame(one: RequestMessage | undefined, other: RequestMessage | undefined): boolean {
  return one?.id === other?.id && one?.body === other?.body;
}
