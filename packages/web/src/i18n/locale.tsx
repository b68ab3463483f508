import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { readStored, writeStored } from "../preferences/stored-value.ts";
import { type Dictionary, en } from "./en.ts";
import { createFormats, type Formats } from "./format.ts";
import { chooseLocale, type Locale } from "./locales.ts";
import { zhCN } from "./zh-cn.ts";

const dictionaries: Record<Locale, Dictionary> = { en, "zh-CN": zhCN };
const storageKey = "skein.locale";

interface LocaleContextValue {
  locale: Locale;
  setLocale(locale: Locale): void;
  text: Dictionary;
  format: Formats;
}

/** For what is said outside of the page. */
export function readDictionary(): Dictionary {
  return dictionaries[chooseLocale({ stored: readStored(storageKey), languages: navigator.languages })];
}

const LocaleContext = createContext<LocaleContextValue | null>(null);

export function LocaleProvider({ children }: { children: ReactNode }) {
  const [locale, setState] = useState<Locale>(() => chooseLocale({ stored: readStored(storageKey), languages: navigator.languages }));
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  const setLocale = useCallback((next: Locale) => {
    writeStored(storageKey, next);
    setState(next);
  }, []);
  const value = useMemo(() => ({ locale, setLocale, text: dictionaries[locale], format: createFormats(locale) }), [locale, setLocale]);
  return <LocaleContext value={value}>{children}</LocaleContext>;
}

export function useLocale(): LocaleContextValue {
  const value = useContext(LocaleContext);
  if (!value) throw new Error("useLocale needs a LocaleProvider above it");
  return value;
}

export const useText = (): Dictionary => useLocale().text;
export const useFormats = (): Formats => useLocale().format;
