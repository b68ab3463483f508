import { type ContextText, contextEn } from "../i18n/en-context.ts";
import { useLocale } from "../i18n/locale.tsx";
import type { Locale } from "../i18n/locales.ts";
import { contextZhCN } from "../i18n/zh-cn-context.ts";

const texts: Record<Locale, ContextText> = { en: contextEn, "zh-CN": contextZhCN };

export const useContextText = (): ContextText => texts[useLocale().locale];
