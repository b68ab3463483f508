import { agentAccessEn } from "../i18n/en-agent-access.ts";
import { createTexts } from "../i18n/page-texts.ts";
import { agentAccessZhCN } from "../i18n/zh-cn-agent-access.ts";

export const useAgentAccessText = createTexts({ en: agentAccessEn, "zh-CN": agentAccessZhCN });
