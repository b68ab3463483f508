export const locales = { en: "English", "zh-CN": "简体中文" } as const;
export type Locale = keyof typeof locales;

export const localeNames = Object.entries(locales) as [Locale, string][];

export function isLocale(value: unknown): value is Locale {
  return typeof value === "string" && Object.hasOwn(locales, value);
}

/** The user's choice, else the first of the browser's languages that there is a dictionary for. */
export function chooseLocale({ stored, languages }: { stored: string | null; languages: readonly string[] }): Locale {
  if (isLocale(stored)) return stored;
  for (const language of languages) {
    const base = language.toLowerCase().split("-")[0];
    if (base === "zh") return "zh-CN";
    if (base === "en") return "en";
  }
  return "en";
}
