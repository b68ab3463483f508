import { type GitText, gitEn } from "../i18n/en-git.ts";
import { createTexts } from "../i18n/page-texts.ts";
import { gitZhCN } from "../i18n/zh-cn-git.ts";

/** Loaded with the git bar. */
export const useGitText = createTexts<GitText>({ en: gitEn, "zh-CN": gitZhCN });
