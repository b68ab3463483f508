import { type RewindText, rewindEn } from "../i18n/en-rewind.ts";
import { useLocale } from "../i18n/locale.tsx";
import type { Locale } from "../i18n/locales.ts";
import { rewindZhCN } from "../i18n/zh-cn-rewind.ts";

const texts: Record<Locale, RewindText> = { en: rewindEn, "zh-CN": rewindZhCN };

/** Loaded with the first step back. */
export const useRewindText = (): RewindText => texts[useLocale().locale];
