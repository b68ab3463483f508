import { type GitHooksText, gitHooksEn } from "../i18n/en-git-hooks.ts";
import { createTexts } from "../i18n/page-texts.ts";
import { gitHooksZhCN } from "../i18n/zh-cn-git-hooks.ts";

/** Loaded with the git bar. */
export const useGitHooksText = createTexts<GitHooksText>({ en: gitHooksEn, "zh-CN": gitHooksZhCN });
