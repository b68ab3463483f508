import { settingsEn } from "./en-settings.ts";
import { createPageTexts, joinTexts } from "./page-texts.ts";
import { taskEn, taskZhCN } from "./task-text.ts";
import { settingsZhCN } from "./zh-cn-settings.ts";

/** Texts of the settings of users, projects and machines, and of the usage page; they also name agents, modes and tools. */
export const { use: useSettingsText } = createPageTexts({ en: joinTexts(taskEn, settingsEn), "zh-CN": joinTexts(taskZhCN, settingsZhCN) });
