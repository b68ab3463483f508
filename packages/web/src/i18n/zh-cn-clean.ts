import type { CleanText } from "./en-clean.ts";

export const cleanZhCN: CleanText = {
  title: "清理",
  about: "列出可以删除且不会丢失工作的内容，只删除你选中的部分。未提交的更改和基础分支中没有的提交始终保留。",
  unusedFor: "未使用时间",
  anyTime: "不限",
  days: (days) => `${days} 天`,
  show: "查看可删除的内容",
  looking: "正在查找…",
  nothing: "没有可以删除的内容。",
  kinds: { worktree: "工作树", "sandbox-home": "沙箱的主目录", "execution-log": "日志", process: "智能体遗留的进程" },
  attempt: (title, number) => `${title} · 第 ${number} 次尝试`,
  describe(item) {
    switch (item.kind) {
      case "worktree":
        return `${item.because === "landed" ? "已合入。" : "基础分支已包含全部内容。"}分支 ${item.branch} 会保留；依赖等被忽略的文件不会保留。`;
      case "sandbox-home":
        return "缓存。智能体会根据对话记录开始新的会话。";
      case "execution-log":
        return `${item.executionIds.length} 份日志，其中的消息都已存储`;
      case "process":
        return `结束后仍在运行：${item.processes.map(({ pid, name }) => `${name}（${pid}）`).join("、")}`;
    }
  },
  unused: (age) => `${age}未使用`,
  unknownSize: "大小未知",
  chosen: (count, size) => `已选 ${count} 项，至少 ${size}`,
  remove: "删除",
  removing: (done, total) => `正在删除：${done} / ${total}`,
  done: (count, size) => `已删除 ${count} 项，${size}。`,
  keptAfterAll: (count) => `保留了 ${count} 项：内容有变化，或仍然需要。`,
  failed: (detail) => `有一项无法删除：${detail}`,
  kept: (count) => `保留 ${count} 项`,
  why(reason) {
    switch (reason.code) {
      case "uncommitted":
        return `${reason.files} 个未提交的文件`;
      case "unmerged":
        return `基础分支中没有的 ${reason.commits} 个提交`;
      case "no-base":
        return "基础分支已不存在，无法判断哪些内容已合并。";
      case "in-conflict":
        return "有冲突的更新正在进行。";
      case "other-branch":
        return "其中检出了另一个分支。";
      case "submodules":
        return "它有子模块，其中可能有工作。";
      case "in-use":
        return "有智能体在其中工作，或有消息在等待。";
      case "unreachable":
        return "它的工作机未连接。";
      case "unreadable":
        return `git 无法读取：${reason.detail}`;
      case "not-stored":
        return "并非全部内容都在数据库中。";
      case "changed":
        return "列出之后内容有变化。";
    }
  },
  retention: "自动清理",
  aboutRetention: "服务器每天按相同规则删除超过此天数未使用的内容。0：从不。",
  retentionFields: {
    worktreeDays: "已完成和已归档任务的工作树（天）",
    sandboxHomeDays: "沙箱的主目录（天）",
    executionLogDays: "日志（天）",
  },
  saved: "已保存",
  use: "按尝试",
  measure: "测量各次尝试",
  noUse: "没有任何尝试占用磁盘。",
  columns: { attempt: "尝试", worktree: "工作树", logs: "日志和输出", home: "沙箱", total: "合计" },
  more: (count) => `另有 ${count} 个较小的未显示。`,
  missing: (count) => `有 ${count} 台工作机未连接，其目录未计入。`,
};
