import type { startEn } from "./en-start.ts";

export const startZhCN: typeof startEn = {
  settings: "启动设置",
  prompt: "要做什么？",
  placeholder: "描述任务。这段文字就是发给智能体的第一条消息。",
  title: "标题（可选）",
  titlePlaceholder: "标题（可选，默认取自正文）",
  untitled: "未命名任务",
  create: "创建",
  createHint: "只添加到看板，暂不启动",
  createNeedsNoImages: "图片会随第一条消息发送：请移除图片，或直接启动任务",
  createAndStart: "创建并启动",
  keys: "回车启动 · Shift+回车换行",
  created: (title) => `已创建：${title}`,
  newTask: "新建任务…",
  message: "第一条消息",
  machine: "运行位置",
  thisMachine: "本机",
  offlineMachine: (name) => `${name}（离线）`,
  mode: {
    question: "智能体可以不经询问做什么？",
    recommended: "推荐",
    later: "此选择会成为默认值，可随时在任务或设置中更改。",
  },
  branch: {
    search: "查找分支、标签或提交",
    list: "分支",
    current: "当前检出",
    other: (name) => `使用 ${name}`,
    truncated: "仅列出最新的分支。较早的分支请直接输入名称。",
  },
};
