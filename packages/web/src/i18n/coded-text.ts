import { formatEnglish } from "@skein/engine";
import { createTexts } from "./page-texts.ts";
import { formatCodedTextZhCN } from "./zh-cn-coded-texts.ts";

/** Formats coded texts that arrive without their English text; those that arrive with it are formatted by `text.coded`. */
export const useCodedText = createTexts({ en: formatEnglish, "zh-CN": formatCodedTextZhCN });
