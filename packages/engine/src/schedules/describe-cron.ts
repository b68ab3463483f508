/** What a cron expression means, where it can be said in a few words. Days of the week: 0 is Sunday. */
export type CronMeaning =
  | { kind: "minutes"; every: number }
  | { kind: "hourly"; minute: number }
  | { kind: "daily"; hour: number; minute: number }
  | { kind: "weekly"; days: number[]; hour: number; minute: number }
  | { kind: "monthly"; day: number; hour: number; minute: number }
  | { kind: "other" };

const other: CronMeaning = { kind: "other" };
const dayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Says what the usual expressions mean; anything else is `other`. */
export function describeCron(cron: string): CronMeaning {
  const fields = cron.trim().split(/\s+/);
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = fields;
  if (fields.length !== 5 || month !== "*") return other;
  const everyDay = day === "*" && weekday === "*";
  const step = /^(?:\*|0)\/(\d{1,2})$/.exec(minute);
  if (everyDay && hour === "*" && (minute === "*" || step !== null)) {
    const every = step === null ? 1 : Number(step[1]);
    // other steps do not divide an hour
    return every > 0 && 60 % every === 0 ? { kind: "minutes", every } : other;
  }
  const at = { hour: toNumber(hour, 23), minute: toNumber(minute, 59) };
  if (at.minute === undefined) return other;
  if (everyDay && hour === "*") return { kind: "hourly", minute: at.minute };
  if (at.hour === undefined) return other;
  const time = { hour: at.hour, minute: at.minute };
  if (everyDay) return { kind: "daily", ...time };
  if (day === "*") {
    const days = toDays(weekday);
    return days === undefined ? other : { kind: "weekly", days, ...time };
  }
  const date = toNumber(day, 31);
  return weekday === "*" && date !== undefined && date > 0 ? { kind: "monthly", day: date, ...time } : other;
}

function toNumber(text: string, most: number): number | undefined {
  return /^\d{1,2}$/.test(text) && Number(text) <= most ? Number(text) : undefined;
}

/** `1-5`, `mon,wed`, `7`. */
function toDays(text: string): number[] | undefined {
  const days = new Set<number>();
  for (const part of text.toLowerCase().split(",")) {
    const [first, last = first] = part.split("-").map(toDay);
    if (first === undefined || last === undefined || first > last || part.split("-").length > 2) return undefined;
    for (let day = first; day <= last; day++) days.add(day % 7);
  }
  return [...days].sort((a, b) => a - b);
}

function toDay(text: string): number | undefined {
  const named = dayNames.indexOf(text);
  return named >= 0 ? named : toNumber(text, 7);
}
