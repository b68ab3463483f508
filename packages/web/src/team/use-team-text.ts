import { type TeamText, teamEn } from "../i18n/en-team.ts";
import { createTexts } from "../i18n/page-texts.ts";
import { teamZhCN } from "../i18n/zh-cn-team.ts";

export const useTeamText = createTexts<TeamText>({ en: teamEn, "zh-CN": teamZhCN });
