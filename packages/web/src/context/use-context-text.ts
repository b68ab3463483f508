import { type ContextText, contextEn } from "../i18n/en-context.ts";
import { createTexts } from "../i18n/page-texts.ts";
import { contextZhCN } from "../i18n/zh-cn-context.ts";

export const useContextText = createTexts<ContextText>({ en: contextEn, "zh-CN": contextZhCN });
