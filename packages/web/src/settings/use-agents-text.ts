import { type AgentsText, agentsEn } from "../i18n/en-agents.ts";
import { useLocale } from "../i18n/locale.tsx";
import type { Locale } from "../i18n/locales.ts";
import { agentsZhCN } from "../i18n/zh-cn-agents.ts";

const texts: Record<Locale, AgentsText> = { en: agentsEn, "zh-CN": agentsZhCN };

export const useAgentsText = (): AgentsText => texts[useLocale().locale];
