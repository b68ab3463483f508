import type { UsageReport } from "@skein/contracts";

export type Measure = "cost" | "tokens";

export interface ChartDay {
  /** `2026-03-01` */
  day: string;
  total: number;
  /** From the bottom up, in the order of `agents`. */
  parts: { agent: string; value: number; from: number }[];
}

export interface Chart {
  agents: string[];
  days: ChartDay[];
  /** At least the largest total, and a round number: the top of the axis. */
  max: number;
}

export function measured(row: { inputTokens: number; outputTokens: number; costUsd: number | null }, measure: Measure): number {
  return measure === "cost" ? (row.costUsd ?? 0) : row.inputTokens + row.outputTokens;
}

/** Every day of the period has its place, also those on which nothing ran. */
export function toChart(report: UsageReport, days: readonly string[], measure: Measure): Chart {
  const agents = [...new Set(report.days.map(({ agent }) => agent))].sort();
  const chartDays = days.map((day): ChartDay => {
    let from = 0;
    const parts = agents.flatMap((agent) => {
      const row = report.days.find((one) => one.day === day && one.agent === agent);
      const value = row ? measured(row, measure) : 0;
      if (value === 0) return [];
      const part = { agent, value, from };
      from += value;
      return [part];
    });
    return { day, total: from, parts };
  });
  return { agents, days: chartDays, max: roundUp(Math.max(0, ...chartDays.map(({ total }) => total))) };
}

/** 1, 2 or 5 times a power of ten. */
export function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10);
}

/** The last `count` days of the local clock, today included, as `from`, `to` and names. */
export function lastDays(now: number, count: number): { from: number; to: number; days: string[] } {
  const date = new Date(now);
  const startOf = (back: number) => new Date(date.getFullYear(), date.getMonth(), date.getDate() - back);
  const name = (day: Date) => [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
  const days = Array.from({ length: count }, (_, index) => name(startOf(count - 1 - index)));
  return { from: startOf(count - 1).getTime(), to: startOf(-1).getTime(), days };
}
