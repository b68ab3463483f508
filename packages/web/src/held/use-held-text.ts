import { heldEn } from "../i18n/en-held.ts";
import { createTexts } from "../i18n/page-texts.ts";
import { heldZhCN } from "../i18n/zh-cn-held.ts";

export const useHeldText = createTexts({ en: heldEn, "zh-CN": heldZhCN });
