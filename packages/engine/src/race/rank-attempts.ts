import type { AttemptId, CheckState } from "@skein/contracts";

/** What is known about an attempt that is compared. Null: not known. */
export interface Racer {
  id: AttemptId;
  /** Its agent works, or waits to. */
  isRunning: boolean;
  /** Null: there was no check. */
  check: CheckState | null;
  /** Files have changed since the check, so that it says nothing about them. */
  isOutdated: boolean;
  /** Added and removed lines. */
  lines: number | null;
  workingMs: number | null;
  costUsd: number | null;
}

/** What put the first attempt before the second one. `equal`: nothing that is known of both. `only`: there is no second one. */
export type RankedBy = "check" | "changes" | "size" | "time" | "cost" | "equal" | "only";

/** What the checks say about an attempt. `unknown`: there was none, it could not be run, was cut off, or is outdated. */
export type Verdict = "passed" | "unknown" | "not-passed";

/** The attempts from best to worst, without those in which something still runs. */
export interface Ranking {
  order: AttemptId[];
  /** The first one, unless its checks did not pass; null while there is none. */
  winner: AttemptId | null;
  /** Of the first one; null while there is none. */
  verdict: Verdict | null;
  rankedBy: RankedBy;
  /** How many still run: the ranking may change. */
  running: number;
  /** How many of all passed. */
  passed: number;
}

/**
 * Ranks attempts: checks passed, then changed anything at all, then the smallest change, the least working time, the lowest cost. What is
 * not known comes last, and is never given as the reason.
 */
export function rankAttempts(racers: readonly Racer[]): Ranking {
  const over = racers.filter((racer) => !isGoing(racer));
  const sorted = over.toSorted((a, b) => {
    for (const { compare } of criteria) {
      const difference = compare(a, b);
      if (difference !== 0) return difference;
    }
    return 0;
  });
  const [first, second] = sorted;
  const verdict = first === undefined ? null : toVerdict(first);
  return {
    order: sorted.map(({ id }) => id),
    winner: first === undefined || verdict === "not-passed" || first.lines === 0 ? null : first.id,
    verdict,
    rankedBy: first === undefined || second === undefined ? "only" : findReason(first, second),
    running: racers.length - over.length,
    passed: racers.filter((racer) => !racer.isOutdated && racer.check === "passed").length,
  };
}

/** Its agent or its check has not ended. */
export function isGoing({ isRunning, check }: Pick<Racer, "isRunning" | "check">): boolean {
  return isRunning || check === "waiting" || check === "running";
}

/** What the checks say about an attempt. */
export function toVerdict({ check, isOutdated }: Pick<Racer, "check" | "isOutdated">): Verdict {
  if (isOutdated) return "unknown";
  if (check === "passed") return "passed";
  return check === "failed" || check === "timed-out" ? "not-passed" : "unknown";
}

const verdicts: readonly Verdict[] = ["passed", "unknown", "not-passed"];

interface Criterion {
  name: Exclude<RankedBy, "equal" | "only">;
  compare(a: Racer, b: Racer): number;
  isKnown(racer: Racer): boolean;
}

function byNumber(name: Criterion["name"], read: (racer: Racer) => number | null): Criterion {
  return {
    name,
    compare: (a, b) => compareKnown(read(a), read(b)),
    isKnown: (racer) => read(racer) !== null,
  };
}

/** Null comes last. */
function compareKnown(a: number | null, b: number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a - b;
}

/** In the order of their weight. */
const criteria: readonly Criterion[] = [
  byNumber("check", (racer) => verdicts.indexOf(toVerdict(racer))),
  byNumber("changes", ({ lines }) => (lines === null ? null : Number(lines === 0))),
  byNumber("size", ({ lines }) => lines),
  byNumber("time", ({ workingMs }) => workingMs),
  byNumber("cost", ({ costUsd }) => costUsd),
];

function findReason(first: Racer, second: Racer): RankedBy {
  const decisive = criteria.find(({ compare }) => compare(first, second) !== 0);
  return decisive?.isKnown(first) && decisive.isKnown(second) ? decisive.name : "equal";
}
