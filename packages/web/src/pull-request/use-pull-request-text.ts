import { type PullRequestText, pullRequestEn } from "../i18n/en-pull-request.ts";
import { createTexts } from "../i18n/page-texts.ts";
import { pullRequestZhCN } from "../i18n/zh-cn-pull-request.ts";

export const usePullRequestText = createTexts<PullRequestText>({ en: pullRequestEn, "zh-CN": pullRequestZhCN });
