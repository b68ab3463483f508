import type { HeldText } from "./en-held.ts";
import { budgetScopesZhCN, limitReachedZhCN, toAmountZhCN } from "./zh-cn-limit-phrases.ts";

export const heldZhCN: HeldText = {
  amount: toAmountZhCN,
  budgetTitle: "预算已用完",
  spent: (scope, spent, limit, isPartial) => `${budgetScopesZhCN[scope]}：${isPartial ? "至少" : ""}已用 ${spent}，预算 ${limit}。`,
  paused: "智能体已在下一次调用模型前暂停。",
  notStarted: "在你决定之前不会运行。",
  more: (amount) => `再允许 ${amount}`,
  unlimited: "不再限制，继续",
  stop: "停止",
  parkedTitle: (time) => `暂停至 ${time}`,
  limit: (code, agent) => limitReachedZhCN(agent, code),
  unknownTime: (tries) => `服务商未说明何时恢复。${tries > 1 ? `已连续被拒绝 ${tries} 次，` : ""}届时再试。`,
  over: "现在可以继续。",
  automatic: "届时自动继续",
  resume: "立即继续",
  continueWith: "改用",
  chooseAgent: "其他智能体…",
  continuing: (agent) => `${agent} 将在新的尝试中继续。`,
  cancel: "取消",
};
