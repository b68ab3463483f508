import { type PullRequestText, pullRequestEn } from "../i18n/en-pull-request.ts";
import { useLocale } from "../i18n/locale.tsx";
import type { Locale } from "../i18n/locales.ts";
import { pullRequestZhCN } from "../i18n/zh-cn-pull-request.ts";

const texts: Record<Locale, PullRequestText> = { en: pullRequestEn, "zh-CN": pullRequestZhCN };

export const usePullRequestText = (): PullRequestText => texts[useLocale().locale];
