import { paletteEn } from "./en-palette.ts";
import { createPageTexts, joinTexts } from "./page-texts.ts";
import { taskEn, taskZhCN } from "./task-text.ts";
import { paletteZhCN } from "./zh-cn-palette.ts";

/** Texts of the palette and of the list of keys; they also name what can be done with a task. */
export const { use: usePaletteText } = createPageTexts({ en: joinTexts(taskEn, paletteEn), "zh-CN": joinTexts(taskZhCN, paletteZhCN) });
