import { createPlural } from "./plural.ts";

const plural = createPlural("en");

/** Texts of checks, and of the comparison of a race. */
export const raceEn = {
  ranking: "Ranking",
  place: (place: number) => `Place ${place}`,
  checks: "Checks",
  best: (name: string) => `${name} is the best`,
  verdict: { passed: "checks passed", unknown: "not checked" },
  reasons: {
    check: "no other attempt did as well in them",
    changes: "the others changed nothing",
    size: "smallest change",
    time: "least time working",
    cost: "lowest cost",
    equal: "the others are equal, as far as known",
    only: "the only attempt that has ended",
  },
  noWinner: { "not-passed": "No attempt has passed the checks.", unchanged: "No attempt has changed anything." },
  running: (count: number) =>
    plural(count, { one: "One attempt still runs: the ranking may change.", other: "# attempts still run: the ranking may change." }),
  loading: "The attempts are being compared…",
  noScript: "No checks were run. Add `check` to .skein/project.json, and trust it in the project’s settings.",
  land: "Land the winner",
  commitFirst: "Commit the winner",
  archiveOthers: (count: number) => plural(count, { one: "Archive the other one", other: "Archive the # others" }),
  archiveHint: (running: number): string =>
    running === 0
      ? "They are hidden until you restore them. Nothing is deleted."
      : "They are hidden until you restore them, and what still runs in them is stopped. Nothing is deleted.",
  archived: (count: number) => plural(count, { one: "# attempt archived", other: "# attempts archived" }),
  restored: (count: number) => plural(count, { one: "# attempt restored", other: "# attempts restored" }),
  restore: "Restore",
  isArchived: "Archived",
  run: "Run checks",
  runAgain: "Run again",
  stop: "Stop the checks",
  outdated: "outdated: files have changed since",
  states: {
    waiting: "Checks wait to start",
    running: "Checks are running",
    passed: "Checks passed",
    failed: "Checks failed",
    "timed-out": "Checks took too long",
    stopped: "Checks were stopped",
    interrupted: "Checks were interrupted",
    "not-run": "Checks were not run",
    none: "Not checked",
  },
};
