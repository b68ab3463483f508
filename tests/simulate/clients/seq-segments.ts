/** A stretch of event numbers that a client received one after the other, as a checksum: a client receives millions. */
export interface SeqSegment {
  /** The position before the first number. */
  after: number;
  last: number;
  count: number;
  hash: number;
}

/** A position that a server moved a client to without sending the events in between. */
export interface SeqJump {
  from: number;
  to: number;
}

/** Short, so that a difference is found within a few hundred events. */
const longestSegment = 500;

const mix = (hash: number, seq: number): number => (Math.imul(hash, 31) + seq) | 0;

/** Keeps the numbers of one client. */
export class SeqSegments {
  readonly segments: SeqSegment[] = [];
  readonly jumps: SeqJump[] = [];
  #current: SeqSegment | undefined;
  lastSeq: number | undefined;

  /** False if the number is not higher than the one before it. */
  add(seq: number): boolean {
    if (this.lastSeq !== undefined && seq <= this.lastSeq) return false;
    if (this.#current === undefined || this.#current.count >= longestSegment) {
      this.#current = { after: this.lastSeq ?? seq - 1, last: seq, count: 0, hash: 0 };
      this.segments.push(this.#current);
    }
    this.#current.last = seq;
    this.#current.count++;
    this.#current.hash = mix(this.#current.hash, seq);
    this.lastSeq = seq;
    return true;
  }

  /** The server moved the position; the first position of a client is not a jump. */
  jump(to: number): void {
    if (this.lastSeq !== undefined && to > this.lastSeq) this.jumps.push({ from: this.lastSeq, to });
    this.#current = undefined;
    this.lastSeq = Math.max(to, this.lastSeq ?? 0);
  }
}

/** A server may replace a replay by whole conversations only if it would be longer than this. */
const replayEvents = 2000;

/** Compares what a client received with the numbers of all committed events, which are sorted. Returns what differs. */
export function findSeqProblems({ segments, jumps }: Pick<SeqSegments, "segments" | "jumps">, numbers: ArrayLike<number>): string[] {
  const problems: string[] = [];
  let index = 0;
  for (const segment of segments) {
    while (index < numbers.length && (numbers[index] ?? 0) <= segment.after) index++;
    let count = 0;
    let hash = 0;
    for (; index < numbers.length && (numbers[index] ?? 0) <= segment.last; index++) {
      count++;
      hash = mix(hash, numbers[index] ?? 0);
    }
    if (count !== segment.count || hash !== segment.hash) {
      problems.push(`after ${segment.after} up to ${segment.last}: ${segment.count} events received, ${count} committed`);
    }
  }
  for (const { from, to } of jumps)
    if (to - from <= replayEvents) problems.push(`jumped from ${from} to ${to} without the events in between`);
  return problems;
}
