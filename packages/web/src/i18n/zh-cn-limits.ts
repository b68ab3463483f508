import type { LimitsText } from "./en-limits.ts";

export const limitsZhCN: LimitsText = {
  about: "同时可以运行多少个智能体。超出上限的消息会排队等待。",
  running: "总数",
  noLimit: "不限",
  perAgent: "按智能体",
  perProject: "按项目",
  saved: "已保存",
  waiting: "等待启动",
  nothing: "没有等待中的执行。",
  since: (age) => `已等 ${age}`,
  startNow: "立即启动",
  startNowLabel: (title) => `立即启动“${title}”`,
  up: (title) => `上移“${title}”`,
  down: (title) => `下移“${title}”`,
  moved: (title, place) => `${title}：现为第 ${place} 个`,
  count: (count) => `${count} 个执行在等待`,
  unknownTask: "任务",
};
