import { expect, it } from "vitest";
import { describeCron } from "./describe-cron.ts";

it.each([
  ["*/15 * * * *", { kind: "minutes", every: 15 }],
  ["* * * * *", { kind: "minutes", every: 1 }],
  ["5 * * * *", { kind: "hourly", minute: 5 }],
  [" 30  9 * * * ", { kind: "daily", hour: 9, minute: 30 }],
  ["0 9 * * 1-5", { kind: "weekly", days: [1, 2, 3, 4, 5], hour: 9, minute: 0 }],
  ["0 9 * * MON,7", { kind: "weekly", days: [0, 1], hour: 9, minute: 0 }],
  ["0 0 1 * *", { kind: "monthly", day: 1, hour: 0, minute: 0 }],
  ...["*/7 * * * *", "0 9 1 * 1", "0 9 * 6 *", "0 9-17 * * *", "61 9 * * *", "0 9 * * 5-1", "0 9 * * x", "0 9 0 * *", "", "@daily"].map(
    (cron) => [cron, { kind: "other" }] as const,
  ),
] as const)("[L6] what %j means", (cron, meaning) => {
  expect(describeCron(cron)).toEqual(meaning);
});
