import { once } from "./once.ts";
import { createNumberFormat } from "./plural.ts";

/** Numbers, dates and durations in the chosen locale. */
export interface Formats {
  number(value: number): string;
  compact(value: number): string;
  /** `12.3k`, `1.5M`: for tokens. */
  tokens(value: number): string;
  money(usd: number): string;
  /** In cents, for columns of amounts; a smaller amount is shown as less than a cent. */
  cost(usd: number): string;
  date(epochMs: number): string;
  /** `340 kB`, `1.2 GB`. */
  bytes(count: number): string;
  time(epochMs: number): string;
  dateTime(epochMs: number): string;
  /** `340 ms`, `4.2 s`, `1 min 20 s`, `2 h 5 min`; at most two units. */
  duration(ms: number): string;
  /** Whole seconds only, for a number that ticks. */
  elapsed(ms: number): string;
  relative(epochMs: number, now: number): string;
  /** `<1m`, `5m`, `3h`, `2d`: how long, where there is little room. */
  age(ms: number): string;
  /** `a, b`; in Chinese `a、b`. */
  list(names: readonly string[]): string;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const byteUnits = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];

/** Chinese text has a space between a number and a word, which Intl leaves out. */
const spaceUnits = (text: string): string => text.replace(/(?<=\d)(?=\p{Script=Han})/gu, " ");

export function createFormats(locale: string): Formats {
  const number = createNumberFormat(locale);
  const compact = once(() => new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 }));
  const money = once(() => new Intl.NumberFormat(locale, { style: "currency", currency: "USD", maximumFractionDigits: 4 }));
  const cents = once(() => new Intl.NumberFormat(locale, { style: "currency", currency: "USD" }));
  const date = once(() => new Intl.DateTimeFormat(locale, { dateStyle: "medium" }));
  const time = once(() => new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" }));
  const dateTime = once(() => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }));
  const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "narrow" }));
  const units = new Map<string, Intl.NumberFormat>();
  const formatUnit = (
    value: number,
    unit: string,
    options: { unitDisplay: "long" | "short" | "narrow"; maximumFractionDigits: number },
  ): string => {
    const key = `${unit} ${options.unitDisplay} ${options.maximumFractionDigits}`;
    const format = units.get(key) ?? new Intl.NumberFormat(locale, { style: "unit", unit, ...options });
    units.set(key, format);
    return spaceUnits(format.format(value));
  };
  const unit = (value: number, name: string, digits = 0) =>
    formatUnit(value, name, { unitDisplay: "short", maximumFractionDigits: digits });
  const narrow = (value: number, name: string) => formatUnit(value, name, { unitDisplay: "narrow", maximumFractionDigits: 0 });
  const before = (count: number, name: Intl.RelativeTimeFormatUnit) => spaceUnits(relative().format(-Math.floor(count), name));
  const long = (ms: number): string => {
    const [size, name, nextSize, nextName] =
      ms >= hour ? ([hour, "hour", minute, "minute"] as const) : ([minute, "minute", second, "second"] as const);
    const whole = Math.floor(ms / size);
    const rest = Math.floor((ms % size) / nextSize);
    return rest === 0 ? unit(whole, name) : `${unit(whole, name)} ${unit(rest, nextName)}`;
  };
  return {
    number,
    compact: (value) => compact().format(value),
    tokens: (value) => compact().format(value).replace("K", "k"),
    money: (usd) => money().format(usd),
    cost: (usd) => (usd > 0 && usd < 0.01 ? `<${cents().format(0.01)}` : cents().format(usd)),
    date: (at) => date().format(at),
    bytes(count) {
      const at = Math.min(byteUnits.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(count, 1)) / 3)));
      // short, a byte has no plural: "0 byte"
      if (at === 0) return formatUnit(count, "byte", { unitDisplay: "long", maximumFractionDigits: 0 });
      return unit(count / 1000 ** at, byteUnits[at] ?? "byte", 1);
    },
    time: (at) => time().format(at),
    dateTime: (at) => dateTime().format(at),
    duration(ms) {
      if (ms < second) return unit(Math.max(0, Math.round(ms)), "millisecond");
      return ms < minute ? unit(Math.floor(ms / 100) / 10, "second", 1) : long(ms);
    },
    elapsed: (ms) => (ms < minute ? unit(Math.max(0, Math.floor(ms / second)), "second") : long(ms)),
    age(ms) {
      if (ms < minute) return `<${narrow(1, "minute")}`;
      if (ms < hour) return narrow(Math.floor(ms / minute), "minute");
      return ms < day ? narrow(Math.floor(ms / hour), "hour") : narrow(Math.floor(ms / day), "day");
    },
    list: (names) => names.join(locale === "zh-CN" ? "、" : ", "),
    relative(at, now) {
      const ago = now - at;
      if (ago < minute) return before(0, "second");
      if (ago < hour) return before(ago / minute, "minute");
      return ago < day ? before(ago / hour, "hour") : before(ago / day, "day");
    },
  };
}
