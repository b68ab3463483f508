import type { workspaceEn } from "./en-workspace.ts";
import type { Texts } from "./texts.ts";

export const workspaceZhCN: Texts<typeof workspaceEn> = {
  list: "终端",
  name: (number) => `终端 ${number}`,
  open: "打开终端",
  close: (number) => `关闭终端 ${number}，并结束其中启动的所有程序`,
  ended: "已结束",
  empty: "终端在该尝试的目录中运行你的 shell。关闭此页面后它会继续运行，直到你关闭终端。",
  restart: "重新启动",
  leaveHint: "按 Ctrl+F6 离开终端。",
  reconnecting: "正在重新连接…",
  sandboxed: "在该尝试的沙箱中",
  readOnly: "只有项目成员才能使用终端。",
  exit: {
    code: (code) => `已退出，退出码 ${code}。`,
    signal: (signal) => `被信号 ${signal} 结束。`,
    lost: "它已随机器一起结束，或被强制终止。",
    unknown: "已结束。",
    notStarted: (reason) => `无法启动：${reason}`,
  },
  dev: {
    title: "开发服务器",
    empty: "开发服务器在该尝试的目录中运行项目的 `dev` 脚本，并使用专属端口。关闭此页面后它会继续运行。",
    start: "启动",
    stop: "停止",
    restart: "重启",
    openAt: (url) => `打开 ${url}`,
    log: "开发服务器的输出",
    port: (port) => `端口 ${port}`,
    elsewhere: "它在另一台机器上运行：请在那台机器上打开该端口。",
    why: "它会在单独的标签页中打开：Skein 的页面不会嵌入其他页面。",
    states: { none: "未启动", starting: "正在启动", listening: "正在监听", exited: "已退出", stopped: "已停止" },
    startingHint: (port) => `端口 ${port} 尚无程序监听。脚本必须监听 $SKEIN_PORT。`,
  },
};
