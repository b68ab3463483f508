import type { planEn } from "./en-plan.ts";
import type { Texts } from "./texts.ts";

/** 先计划后执行：权限模式与计划卡片。 */
export const planZhCN: Texts<typeof planEn> = {
  mode: "先制定计划",
  modeUnavailable: "先制定计划（此智能体没有计划模式）",
  hints: {
    enforced: "在你批准计划之前，智能体只能读取。你可以修改计划，也可以回复意见。",
    own: "在你批准计划之前，智能体在自己的计划模式中工作。你可以修改计划，也可以回复意见。",
    "if-offered": "如果此智能体提供计划模式，它会先制定计划并等待你批准；如果没有，则不会发送任何内容。",
    none: "此智能体没有计划模式。",
  },
  agentMode: "智能体模式",
  agentModeHint: "此智能体提供的模式",
  agentModeDefault: "由权限决定",
  card: {
    title: "待审阅的计划",
    edit: "修改",
    editing: "计划（Markdown）",
    discard: "放弃修改",
    continueWith: "批准之后",
    approve: "批准计划",
    approveEdited: "批准修改后的计划",
    reply: "退回",
    replyLabel: "对计划的意见",
    replyPlaceholder: "需要怎样调整？",
    send: "发送意见",
  },
};
