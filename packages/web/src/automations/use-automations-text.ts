import { type AutomationsText, automationsEn } from "../i18n/en-automations.ts";
import { createTexts } from "../i18n/page-texts.ts";
import { automationsZhCN } from "../i18n/zh-cn-automations.ts";

export type { AutomationsText };
export const useAutomationsText = createTexts<AutomationsText>({ en: automationsEn, "zh-CN": automationsZhCN });
