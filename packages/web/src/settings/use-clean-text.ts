import { type CleanText, cleanEn } from "../i18n/en-clean.ts";
import { createTexts } from "../i18n/page-texts.ts";
import { cleanZhCN } from "../i18n/zh-cn-clean.ts";

export const useCleanText = createTexts<CleanText>({ en: cleanEn, "zh-CN": cleanZhCN });
