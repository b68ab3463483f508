import { testId } from "@skein/testkit";
import { describe, expect, it } from "vitest";
import { type Racer, rankAttempts } from "./rank-attempts.ts";

const racer = (number: number, known: Partial<Racer> = {}): Racer => ({
  ...{ id: testId("att", number), isRunning: false, check: "passed", isOutdated: false, lines: 10, workingMs: 1000, costUsd: 1 },
  ...known,
});
const ids = (...numbers: number[]) => numbers.map((number) => testId("att", number));

describe("[L4] ranking of attempts", () => {
  it("checks passed come first, then unknown ones, then those that did not pass", () => {
    const ranking = rankAttempts([
      racer(1, { check: "failed", lines: 1 }),
      racer(2, { check: null, lines: 1 }),
      racer(3, { lines: 500 }),
      racer(4, { check: "timed-out", lines: 2 }),
      racer(5, { check: "interrupted", lines: 2 }),
    ]);
    expect(ranking).toEqual({
      ...{ order: ids(3, 2, 5, 1, 4), winner: testId("att", 3), verdict: "passed", rankedBy: "check", running: 0, passed: 1 },
    });
  });

  it("among equals the smallest change wins, then the time, then the cost", () => {
    expect(rankAttempts([racer(1), racer(2, { lines: 9, workingMs: 9000 })])).toMatchObject({ order: ids(2, 1), rankedBy: "size" });
    expect(rankAttempts([racer(1), racer(2, { workingMs: 900, costUsd: 9 })])).toMatchObject({ order: ids(2, 1), rankedBy: "time" });
    expect(rankAttempts([racer(1), racer(2, { costUsd: 0.5 })])).toMatchObject({ order: ids(2, 1), rankedBy: "cost" });
    expect(rankAttempts([racer(1), racer(2)])).toMatchObject({ order: ids(1, 2), rankedBy: "equal" });
    expect(rankAttempts([racer(1)])).toMatchObject({ winner: testId("att", 1), rankedBy: "only" });
  });

  it("a figure that is not known comes last, and is never the reason", () => {
    expect(rankAttempts([racer(1, { costUsd: null }), racer(2)])).toMatchObject({ order: ids(2, 1), rankedBy: "equal" });
    expect(rankAttempts([racer(1, { lines: null }), racer(2, { lines: 4000 })])).toMatchObject({ order: ids(2, 1), rankedBy: "equal" });
  });

  it("an attempt that changed nothing is not the smallest change, and never wins", () => {
    expect(rankAttempts([racer(1, { lines: 0 }), racer(2)])).toMatchObject({ order: ids(2, 1), rankedBy: "changes" });
    expect(rankAttempts([racer(1, { lines: 0 })])).toMatchObject({ winner: null });
  });

  it("what still runs has no place yet; a check counts as running, an outdated one as unknown", () => {
    const ranking = rankAttempts([
      racer(1, { isRunning: true }),
      racer(2, { check: "waiting" }),
      racer(3, { check: "failed" }),
      racer(4, { isOutdated: true }),
    ]);
    expect(ranking).toMatchObject({ order: ids(4, 3), winner: testId("att", 4), verdict: "unknown", running: 2, passed: 1 });
    expect(rankAttempts([racer(1, { isRunning: true })])).toMatchObject({ order: [], winner: null, verdict: null });
  });

  it("there is no winner if no checks passed", () => {
    expect(rankAttempts([racer(1, { check: "failed" }), racer(2, { check: "failed", lines: 1 })])).toMatchObject({
      order: ids(2, 1),
      winner: null,
      verdict: "not-passed",
    });
  });
});
