import type { JsonValue } from "@skein/contracts";

/** Epoch milliseconds of an ISO date, or of a number of milliseconds; undefined if it is neither. */
export function parseTime(value: JsonValue | undefined): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : typeof value === "number" ? value : Number.NaN;
  return Number.isFinite(time) && time >= 0 && time < 8.64e15 ? Math.round(time) : undefined;
}
