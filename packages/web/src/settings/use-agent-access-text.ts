import { type AgentAccessText, agentAccessEn } from "../i18n/en-agent-access.ts";
import { useLocale } from "../i18n/locale.tsx";
import type { Locale } from "../i18n/locales.ts";
import { agentAccessZhCN } from "../i18n/zh-cn-agent-access.ts";

const texts: Record<Locale, AgentAccessText> = { en: agentAccessEn, "zh-CN": agentAccessZhCN };

export const useAgentAccessText = (): AgentAccessText => texts[useLocale().locale];
