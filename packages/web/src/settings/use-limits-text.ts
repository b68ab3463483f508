import { type LimitsText, limitsEn } from "../i18n/en-limits.ts";
import { createTexts } from "../i18n/page-texts.ts";
import { limitsZhCN } from "../i18n/zh-cn-limits.ts";

export const useLimitsText = createTexts<LimitsText>({ en: limitsEn, "zh-CN": limitsZhCN });
