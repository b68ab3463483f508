import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { loadPart } from "../api/load-part.ts";
import { readStored, writeStored } from "../preferences/stored-value.ts";
import { type Dictionary, en } from "./en.ts";
import { createFormats, type Formats } from "./format.ts";
import { chooseLocale, type Locale } from "./locales.ts";

/** Of the first load. English is part of the app; another language is loaded when it is needed. */
const dictionaries: Partial<Record<Locale, Dictionary>> = { en };
const storageKey = "skein.locale";

interface LocaleContextValue {
  locale: Locale;
  setLocale(locale: Locale): void;
  text: Dictionary;
  format: Formats;
}

const readLocale = (): Locale => chooseLocale({ stored: readStored(storageKey), languages: navigator.languages });

async function loadDictionary(locale: Locale): Promise<void> {
  if (locale === "zh-CN") dictionaries[locale] ??= (await loadPart(() => import("./zh-cn.ts"))).zhCN;
}

/** Before the first render. A language that cannot be loaded leaves the page in English: it works all the same. */
export async function loadOwnDictionary(): Promise<void> {
  await loadDictionary(readLocale()).catch(() => {});
}

/** For text outside of the page: the language that it is shown in. */
export function readShownTexts(): { locale: Locale; text: Dictionary } {
  const locale = readLocale();
  const text = dictionaries[locale];
  return text ? { locale, text } : { locale: "en", text: en };
}

const LocaleContext = createContext<LocaleContextValue | null>(null);

export function LocaleProvider({ children }: { children: ReactNode }) {
  const [locale, setState] = useState<Locale>(() => readShownTexts().locale);
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  const setLocale = useCallback((next: Locale) => {
    writeStored(storageKey, next);
    loadDictionary(next).then(
      () => setState(next),
      () => {},
    );
  }, []);
  const value = useMemo(
    () => ({ locale, setLocale, text: dictionaries[locale] ?? en, format: createFormats(locale) }),
    [locale, setLocale],
  );
  return <LocaleContext value={value}>{children}</LocaleContext>;
}

export function useLocale(): LocaleContextValue {
  const value = useContext(LocaleContext);
  if (!value) throw new Error("useLocale needs a LocaleProvider above it");
  return value;
}

export const useText = (): Dictionary => useLocale().text;
export const useFormats = (): Formats => useLocale().format;
