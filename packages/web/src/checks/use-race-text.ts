import { raceEn } from "../i18n/en-race.ts";
import { createTexts } from "../i18n/page-texts.ts";
import { raceZhCN } from "../i18n/zh-cn-race.ts";

/** Loaded with the changes and the comparison. */
export const useRaceText = createTexts({ en: raceEn, "zh-CN": raceZhCN });
