import type { Dictionary } from "./en.ts";

/** 只有任务页面才用到的文字。 */
export const taskPageZhCN: Dictionary["taskPage"] = {
  group: {
    read: (count) => `读取了 ${count} 个文件`,
    search: (count) => `搜索了 ${count} 次`,
    list: (count) => `列出了 ${count} 个目录`,
    failed: (count) => `${count} 个失败`,
  },
  message: {
    copy: "复制为 Markdown",
    copyLink: "复制链接",
    linkCopied: "链接已复制",
    notFound: "这条消息已不在对话中。",
    unreadable: "无法解析的输出",
    more: "显示全部内容",
  },
  tools: {
    label: "对话工具",
    find: "在对话中查找",
    previousError: "上一个错误",
    nextError: "下一个错误",
    previousPerson: "你的上一条消息",
    nextPerson: "你的下一条消息",
    none: "没有了。",
    menu: "更多对话操作",
    copyAll: "将对话复制为 Markdown",
    downloadMarkdown: "下载 Markdown",
    downloadJson: "下载 JSON",
    mergeMode: "工具调用",
    mergeLive: "一张卡片，运行时就显示",
    mergeOnComplete: "一张卡片，完成后才显示",
    mergeOff: "调用与结果分开显示",
  },
  find: {
    label: "在对话中查找",
    placeholder: "查找…",
    count: (current, total) => `第 ${current} 个，共 ${total} 个`,
    none: "没有找到",
    next: "下一处",
    previous: "上一处",
    close: "关闭查找栏",
  },
  json: {
    items: (count) => `${count} 项`,
    more: (count) => `还有 ${count} 项`,
  },
};
