import { workspaceEn } from "../i18n/en-workspace.ts";
import { createTexts } from "../i18n/page-texts.ts";
import { workspaceZhCN } from "../i18n/zh-cn-workspace.ts";

/** Loaded with the terminal and the preview. */
export const useWorkspaceText = createTexts({ en: workspaceEn, "zh-CN": workspaceZhCN });
