import { rankAttempts } from "@skein/engine";
import { testId } from "@skein/testkit";
import { describe, expect, it } from "vitest";
import { explainRanking, formatRace, type RaceView, type ShownRacer } from "./race-table.ts";

const racer = (number: number, known: Partial<ShownRacer>): ShownRacer => ({
  ...{ id: testId("att", number), number, agent: "codex", model: null, state: "success", isRunning: false, isOutdated: false },
  ...{ check: "passed", checkText: "passed", additions: 3, deletions: 1, lines: 4, workingMs: 61_000, costUsd: null },
  ...known,
});
const view = (...racers: ShownRacer[]): RaceView => ({ racers, ranking: rankAttempts(racers), isOver: false });

describe("[L4] the table of a race", () => {
  it("is in the order of the ranking; what still runs has no place, and what is unknown no figure", () => {
    const running = racer(1, {
      isRunning: true,
      state: "running",
      check: null,
      checkText: "–",
      lines: null,
      additions: null,
      deletions: null,
      workingMs: null,
    });
    const shown = view(running, racer(2, { check: "failed", checkText: "failed (1)" }), racer(3, { model: "gpt-5", costUsd: 0.256 }));
    expect(formatRace(shown).split("\n")).toEqual([
      "   NO  AGENT        STATE    CHECKS      CHANGE  TIME       COST",
      "1  #3  codex gpt-5  success  passed      +3 −1   1 min 1 s  $0.26  ← best",
      "2  #2  codex        success  failed (1)  +3 −1   1 min 1 s  –",
      "   #1  codex        running  –           –       –          –",
    ]);
    expect(explainRanking(shown)).toBe(
      "#3 is the best: checks passed, no other attempt did as well in them. One attempt still runs: this may change.",
    );
  });
  it("says why, and when there is no winner", () => {
    expect(explainRanking(view(racer(1, { lines: 9 }), racer(2, {})))).toBe("#2 is the best: checks passed, smallest change.");
    expect(explainRanking(view(racer(1, { check: null }), racer(2, { check: null })))).toBe(
      "#1 is the best: not checked, the others are equal, as far as known.",
    );
    expect(explainRanking(view(racer(1, { check: "failed" })))).toBe("There is no winner: no attempt passed the checks.");
  });
});
