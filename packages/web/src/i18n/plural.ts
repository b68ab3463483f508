import { once } from "./once.ts";

/** Picks the form for a count and puts the count into it; `other` also serves where `one` is not given. */
export function createPlural(locale: "en" | "zh-CN"): (count: number, forms: { one?: string; other: string }) => string {
  const format = createNumberFormat(locale);
  // of our languages, only English has a second form: Intl.PluralRules takes ten milliseconds to make
  const hasOne = locale === "en";
  return (count, forms) => (hasOne && count === 1 ? (forms.one ?? forms.other) : forms.other).replace("#", format(count));
}

/** Digits and separators of a locale. A small number needs none, and no `Intl` object before the first paint. */
export function createNumberFormat(locale: string): (value: number) => string {
  const numbers = once(() => new Intl.NumberFormat(locale));
  return (value) => (Number.isInteger(value) && value >= 0 && value < 1000 ? String(value) : numbers().format(value));
}
