import { approvalEn } from "./en-approval.ts";
import { attemptEn } from "./en-attempt.ts";
import { conversationEn } from "./en-conversation.ts";
import { conversationSettingsEn } from "./en-conversation-settings.ts";
import { flowEn } from "./en-flow.ts";
import { inboxEn } from "./en-inbox.ts";
import { planEn } from "./en-plan.ts";
import { startEn } from "./en-start.ts";
import { taskPageEn } from "./en-task-page.ts";
import { toolEn } from "./en-tool.ts";
import { createPageTexts } from "./page-texts.ts";
import type { Texts } from "./texts.ts";
import { approvalZhCN } from "./zh-cn-approval.ts";
import { attemptZhCN } from "./zh-cn-attempt.ts";
import { conversationZhCN } from "./zh-cn-conversation.ts";
import { conversationSettingsZhCN } from "./zh-cn-conversation-settings.ts";
import { flowZhCN } from "./zh-cn-flow.ts";
import { inboxZhCN } from "./zh-cn-inbox.ts";
import { planZhCN } from "./zh-cn-plan.ts";
import { startZhCN } from "./zh-cn-start.ts";
import { taskPageZhCN } from "./zh-cn-task-page.ts";
import { toolZhCN } from "./zh-cn-tool.ts";

export const taskEn = {
  ...approvalEn,
  ...attemptEn,
  ...conversationEn,
  ...toolEn,
  flow: flowEn,
  plan: planEn,
  start: startEn,
  taskPage: taskPageEn,
  shell: { inbox: inboxEn, settings: { conversations: conversationSettingsEn } },
};
export type TaskTexts = Texts<typeof taskEn>;

export const taskZhCN: TaskTexts = {
  ...approvalZhCN,
  ...attemptZhCN,
  ...conversationZhCN,
  ...toolZhCN,
  flow: flowZhCN,
  plan: planZhCN,
  start: startZhCN,
  taskPage: taskPageZhCN,
  shell: { inbox: inboxZhCN, settings: { conversations: conversationSettingsZhCN } },
};

/** Texts of work on tasks: the page of a task with its panes, starting one, comparing attempts, the inbox. */
export const { use: useTaskText, read: readTaskText } = createPageTexts({ en: taskEn, "zh-CN": taskZhCN });
