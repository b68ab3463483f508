const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const date = String.raw`(?:(?<month>${months.join("|")})[a-z]* (?<day>\d{1,2})(?:st|nd|rd|th)?,?(?: (?<year>\d{4}))?,? (?:at )?)?`;
const clock = String.raw`(?<hour>\d{1,2})(?::(?<minute>\d{2}))?\s*(?<half>[ap]m)?`;
const zone = String.raw`(?:\s*\((?<zone>[A-Za-z_]+(?:\/[A-Za-z_+\-0-9]+){0,2})\))?`;
const resetTime = new RegExp(String.raw`\b(?:resets?|try again)(?: at| on)? ${date}${clock}${zone}`, "i");

const dayMs = 24 * 60 * 60_000;

/**
 * A time of the clock at which a limit ends: `resets 2pm (Asia/Shanghai)`, `reset at 1pm`, `resets Oct 12, 5:30am`, `try again at
 * Sep 29th, 2026 12:55 AM`. Without a date it is the next such time. Undefined if there is none.
 */
export function findClockTime(text: string, { now, timeZone }: { now: number; timeZone?: string }): number | undefined {
  const { month, day, year, hour, minute = "0", half, zone: named } = resetTime.exec(text)?.groups ?? {};
  // “resets 3” may be anything
  if (hour === undefined || (half === undefined && !/:\d\d/.test(resetTime.exec(text)?.[0] ?? ""))) return undefined;
  const place = [named, timeZone].find((one) => one !== undefined && isTimeZone(one));
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === "pm" ? 12 : 0);
  if (hours > 23 || Number(minute) > 59) return undefined;
  const today = toWallTime(now, place);
  const at = (days: Partial<WallTime>, offsetDays = 0): number =>
    toEpoch({ ...today, ...days, hour: hours, minute: Number(minute) }, place) + offsetDays * dayMs;
  if (month !== undefined && day !== undefined) {
    const wanted = { month: months.indexOf(month.slice(0, 3).toLowerCase()) + 1, day: Number(day) };
    const found = at({ ...wanted, ...(year === undefined ? {} : { year: Number(year) }) });
    // in December, a limit may end in January
    return year === undefined && found < now - dayMs ? at({ ...wanted, year: today.year + 1 }) : found;
  }
  const found = at({});
  if (found > now) return found;
  // not 24 hours later where the clock is changed at night
  const { year: y, month: m, day: d } = toWallTime(found + dayMs, place);
  return at({ year: y, month: m, day: d });
}

interface WallTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** What the clock shows; without a zone, that of this machine. */
function toWallTime(at: number, timeZone: string | undefined): WallTime {
  const format = new Intl.DateTimeFormat("en-US", {
    ...{ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", hourCycle: "h23" },
    ...(timeZone === undefined ? {} : { timeZone }),
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const read = (type: keyof WallTime): number => parts.get(type) ?? 0;
  return { year: read("year"), month: read("month"), day: read("day"), hour: read("hour"), minute: read("minute") };
}

/** The offset of a zone depends on the time that is looked for: the second estimate has the right one. */
function toEpoch({ year, month, day, hour, minute }: WallTime, timeZone: string | undefined): number {
  const asUtc = Date.UTC(year, month - 1, day, hour, minute);
  let at = asUtc;
  for (let round = 0; round < 2; round++) {
    const shown = toWallTime(at, timeZone);
    at += asUtc - Date.UTC(shown.year, shown.month - 1, shown.day, shown.hour, shown.minute);
  }
  return at;
}
