import { type AgentsText, agentsEn } from "../i18n/en-agents.ts";
import { createTexts } from "../i18n/page-texts.ts";
import { agentsZhCN } from "../i18n/zh-cn-agents.ts";

export const useAgentsText = createTexts<AgentsText>({ en: agentsEn, "zh-CN": agentsZhCN });
