import type { SandboxText } from "./en-sandbox.ts";

export const sandboxZhCN: SandboxText = {
  about:
    "沙箱由操作系统强制执行。智能体只能修改自己的目录和临时文件，不能修改其他任何内容：你的其他文件、仓库的设置和钩子、你的 shell 配置以及它自己的设置都不行。" +
    "它看不到你的密钥和登录信息、Skein 的数据以及其他尝试。",
  state: "这台机器",
  supported: "可以使用沙箱。",
  system: "沙箱需要 x86-64 或 ARM64 的 Linux。设为使用沙箱的智能体在这里不会启动。",
  notInstalled: "未安装 bubblewrap。安装之前，设为使用沙箱的智能体不会启动。在 Debian 和 Ubuntu 上运行：",
  notPermitted: (detail) => `已安装 bubblewrap，但它无权创建命名空间，因此设为使用沙箱的智能体不会启动。它的报告：${detail}`,
  default: "新的尝试",
  defaultEffect: "每次尝试都可以在输入框下方单独设置。",
  off: "不使用沙箱",
  workspace: "在沙箱中",
  hosts: "沙箱中的智能体可以访问的地址",
  hostsText:
    "每行一个：example.com、*.example.com、127.0.0.1:8080，或用 * 表示整个互联网。智能体自己的模型服务始终可以访问，未列出的其他地址都不能访问。从下一条消息起生效。",
  hostsOf: "地址适用于",
  allProjects: "所有项目",
  projectHostsText: "仅用于此项目的尝试，在所有项目的地址之外。每行一个。从下一条消息起生效。",
  invalid: (line) => `“${line}”不是域名，也不是带端口的地址。`,
  save: "保存",
  saved: "已保存。",
};
