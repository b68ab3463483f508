import { once } from "./once.ts";

/** Picks the form of the count's plural category; `other` serves for the categories that are not given. */
export function createPlural(locale: string): (count: number, forms: { one?: string; other: string }) => string {
  const rules = once(() => new Intl.PluralRules(locale));
  const numbers = once(() => new Intl.NumberFormat(locale));
  return (count, forms) => {
    const form = rules().select(count) === "one" ? (forms.one ?? forms.other) : forms.other;
    return form.replace("#", numbers().format(count));
  };
}
