import { type TeamText, teamEn } from "../i18n/en-team.ts";
import { useLocale } from "../i18n/locale.tsx";
import type { Locale } from "../i18n/locales.ts";
import { teamZhCN } from "../i18n/zh-cn-team.ts";

const texts: Record<Locale, TeamText> = { en: teamEn, "zh-CN": teamZhCN };

export const useTeamText = (): TeamText => texts[useLocale().locale];
