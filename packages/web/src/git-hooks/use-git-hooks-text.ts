import { type GitHooksText, gitHooksEn } from "../i18n/en-git-hooks.ts";
import { useLocale } from "../i18n/locale.tsx";
import type { Locale } from "../i18n/locales.ts";
import { gitHooksZhCN } from "../i18n/zh-cn-git-hooks.ts";

const texts: Record<Locale, GitHooksText> = { en: gitHooksEn, "zh-CN": gitHooksZhCN };

/** Loaded with the git bar. */
export const useGitHooksText = (): GitHooksText => texts[useLocale().locale];
