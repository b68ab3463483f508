import { type ReviewText, reviewEn } from "../i18n/en-review.ts";
import { useLocale } from "../i18n/locale.tsx";
import type { Locale } from "../i18n/locales.ts";
import { reviewZhCN } from "../i18n/zh-cn-review.ts";

const texts: Record<Locale, ReviewText> = { en: reviewEn, "zh-CN": reviewZhCN };

/** Loaded with the changes. */
export const useReviewText = (): ReviewText => texts[useLocale().locale];
