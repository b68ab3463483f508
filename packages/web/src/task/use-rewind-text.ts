import { type RewindText, rewindEn } from "../i18n/en-rewind.ts";
import { createTexts } from "../i18n/page-texts.ts";
import { rewindZhCN } from "../i18n/zh-cn-rewind.ts";

/** Loaded with the first step back. */
export const useRewindText = createTexts<RewindText>({ en: rewindEn, "zh-CN": rewindZhCN });
