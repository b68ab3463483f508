import type { Dictionary } from "./en.ts";
import { readShownTexts, useLocale } from "./locale.tsx";
import type { Locale } from "./locales.ts";

/**
 * Texts of a page or feature, in every language. They are loaded with the code that imports them, so that the first load does not grow:
 *
 * @example
 * export const useImportText = createTexts({ en: importEn, "zh-CN": importZhCN });
 */
export function createTexts<Own extends object>(texts: Readonly<Record<Locale, Own>>): () => Own {
  return () => texts[useLocale().locale];
}

/** The same, joined with the texts of the first load: one object for a page that uses both. `read` is for code outside of the page. */
export function createPageTexts<Own extends object>(
  texts: Readonly<Record<Locale, Own>>,
): { use(): Dictionary & Own; read(): Dictionary & Own } {
  const joined: Partial<Record<Locale, Dictionary & Own>> = {};
  const join = ({ locale, text }: { locale: Locale; text: Dictionary }): Dictionary & Own => {
    joined[locale] ??= joinTexts(text, texts[locale]);
    return joined[locale];
  };
  return { use: () => join(useLocale()), read: () => join(readShownTexts()) };
}

const isSection = (value: unknown): value is object => typeof value === "object" && value !== null;

/** A section that both have contains the texts of both. */
export function joinTexts<First extends object, Second extends object>(first: First, second: Second): First & Second {
  const joined: Record<string, unknown> = Object.fromEntries(Object.entries(first));
  for (const [key, value] of Object.entries(second)) {
    const before = joined[key];
    joined[key] = isSection(before) && isSection(value) ? joinTexts(before, value) : value;
  }
  return joined as First & Second;
}
