import type { UsageReport } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lastDays, roundUp, toChart } from "./usage-chart.ts";

const row = (day: string, agent: string, costUsd: number | null, inputTokens = 0) => ({
  day,
  agent,
  executions: 1,
  inputTokens,
  outputTokens: 5,
  costUsd,
  isPartial: false,
});
const report = {
  days: [row("2026-03-01", "native", 1), row("2026-03-03", "codex", 2), row("2026-03-03", "native", null, 10)],
  attempts: [],
} as UsageReport;
const days = ["2026-03-01", "2026-03-02", "2026-03-03"];

describe("toChart", () => {
  it("stacks the agents of a day, and keeps the days on which nothing ran", () => {
    expect(toChart(report, days, "tokens")).toEqual({
      agents: ["codex", "native"],
      max: 20,
      days: [
        { day: days[0], total: 5, parts: [{ agent: "native", value: 5, from: 0 }] },
        { day: days[1], total: 0, parts: [] },
        {
          day: days[2],
          total: 20,
          parts: [
            { agent: "codex", value: 5, from: 0 },
            { agent: "native", value: 15, from: 5 },
          ],
        },
      ],
    });
    expect(toChart(report, days, "cost").days.map(({ total }) => total)).toEqual([1, 0, 2]);
  });
});

describe("roundUp", () => {
  it("is round, and not less", () => {
    expect([0, 0.03, 1, 7, 1200].map(roundUp)).toEqual([1, 0.05, 1, 10, 2000]);
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), (value) => {
        expect(roundUp(value)).toBeGreaterThanOrEqual(value * 0.999999);
      }),
    );
  });
});

describe("lastDays", () => {
  it("ends with today, also over the end of a month", () => {
    const now = new Date(2026, 2, 2, 15).getTime();
    expect(lastDays(now, 3)).toEqual({
      from: new Date(2026, 1, 28).getTime(),
      to: new Date(2026, 2, 3).getTime(),
      days: ["2026-02-28", "2026-03-01", "2026-03-02"],
    });
  });
});
