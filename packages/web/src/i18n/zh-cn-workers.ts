import type { WorkersText } from "./en-workers.ts";

export const workersZhCN: WorkersText = {
  about: "工作机是运行尝试的其他机器，使用自己的智能体和登录。它从本服务器获取仓库，成果以分支的形式传回。",
  none: "还没有工作机。",
  invite: "添加工作机",
  inviteHint: "请在一小时内在另一台机器上运行此命令。邀请码只能使用一次。",
  onlyHere: "此地址只能在本机使用。其他机器需要可访问的 https 地址：请使用 --public-url 启动 Skein。",
  states: { connected: "已连接", offline: "离线", draining: "排空中", invited: "已邀请" },
  offlineSince: (time) => `自 ${time} 起离线`,
  running: (count, capacity) => `正在运行 ${count} / ${capacity} 个智能体`,
  waiting: (count) => `${count} 条消息等待中`,
  agents: "智能体",
  noAgents: "未找到智能体",
  tags: "标签",
  drain: "排空",
  drainHint: "正在运行的智能体会完成，不再启动新的",
  activate: "启用",
  revoke: "撤回邀请",
  remove: "移除",
  removeTitle: (name) => `移除 ${name}？`,
  removeText: "在其上运行的内容会中断，智能体会被停止。它的尝试可以移到其他机器。",
};
