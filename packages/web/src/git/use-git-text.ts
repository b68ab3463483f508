import { type GitText, gitEn } from "../i18n/en-git.ts";
import { useLocale } from "../i18n/locale.tsx";
import type { Locale } from "../i18n/locales.ts";
import { gitZhCN } from "../i18n/zh-cn-git.ts";

const texts: Record<Locale, GitText> = { en: gitEn, "zh-CN": gitZhCN };

/** Loaded with the git bar. */
export const useGitText = (): GitText => texts[useLocale().locale];
