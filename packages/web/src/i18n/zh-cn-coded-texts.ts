import type { AgentHint, ApprovalWarning } from "@skein/contracts";
import { createTextFormatter, type TextFormats } from "@skein/engine";
import { noticeTextsZhCN } from "./zh-cn-notice-texts.ts";
import { toLogInZhCN } from "./zh-cn-phrases.ts";
import { problemTextsZhCN } from "./zh-cn-problem-texts.ts";
import { repositoryTextsZhCN } from "./zh-cn-repository-texts.ts";

const launchers: Readonly<Record<string, string>> = {
  npx: "它包含在 Node.js 中：https://nodejs.org",
  uvx: "它包含在 uv 中：https://docs.astral.sh/uv",
};

const agentHints: TextFormats<AgentHint> = {
  "version-timed-out": ({ seconds }) => `它在 ${seconds} 秒内没有报告版本`,
  "version-not-reported": "它没有报告版本",
  "agent-not-installed": ({ agent, install }) => `${agent} 尚未安装。请运行：${install}`,
  "agent-command-unusable": ({ agent, program }) => `${agent} 无法启动：设置中的命令“${program}”不是可以运行的程序。请在设置中更正。`,
  "agent-launcher-missing": ({ agent, program }) => `${agent} 由 ${program} 启动，但本机没有 ${program}。${launchers[program] ?? ""}`,
  "agent-does-not-start": ({ agent, reason, install }, format) => `${agent} 无法启动：${format(reason)}。请重新安装：${install}`,
  "agent-too-old": ({ agent, version, least, install }) =>
    `${agent} ${version} 版本过旧：Skein 需要 ${least} 或更高版本。请运行：${install}`,
  "agent-program-not-found": ({ agent, program, download }) =>
    `${agent} 尚未安装：PATH 中没有程序“${program}”。${download === undefined ? "" : `下载地址：${download}`}`,
  "agent-turned-off": ({ agent }) => `${agent} 已停用。可在“设置 → 智能体”中启用。`,
  "agent-removed": "此智能体已被移除。请在“设置 → 智能体”中重新添加，或换用其他智能体继续。",
  "agent-not-logged-in": ({ agent, login }) => `${agent} 尚未登录。${toLogInZhCN(login)}`,
  "no-model": "尚未配置模型。",
  "provider-key-missing": ({ variable }) => `请在设置中添加密钥，或在启动 Skein 前设置 ${variable}。`,
};

const approvalWarnings: TextFormats<ApprovalWarning> = {
  "runs-as-other-user": "它以其他用户的权限运行，不受 Skein 的任何限制。",
  "deletes-folders": "它会删除整个目录及其中的所有内容，且无法撤销。",
  "deletes-found-files": "它会删除找到的所有文件，且无法撤销。",
  "runs-from-network": "它会直接运行来自网络的程序。",
  "overwrites-remote": "它会覆盖或删除远程仓库中他人可能已经获取的提交。",
  "discards-changes": "它会丢弃尚未提交的改动。",
  "overwrites-disk": "它会逐字节覆写文件或磁盘。",
  "changes-file-system": "它会创建或更改文件系统，磁盘上原有的内容将丢失。",
  "changes-rights": "它会更改目录下所有内容的权限或所有者。",
  "turns-machine-off": "它会关闭这台机器。",
  "writes-to-device": "它会直接写入设备。",
  "not-checked": "它过长或嵌套过深，无法检查。",
  "copies-itself": "它会无休止地复制自身。",
  "git-file": ({ path }) => `${path} 属于 git 本身：写入其中的内容可能让 git 运行程序。`,
  "agent-settings-file": ({ path }) => `${path} 是编程智能体的设置：写入其中的内容可能让它运行程序。`,
  "editor-file": ({ path }) => `${path} 会被编辑器、shell 或 git 读取：写入其中的内容可能让它们运行程序。`,
  "package-file": ({ path }) => `${path} 属于已安装的软件包：写入其中的内容会随使用它的每个程序一起运行。`,
  "trusted-file": ({ path }) => `${path} 由你所信任的仓库设置运行：写入其中的内容会立即被运行。`,
  "asks-for-permission": ({ agent, permission }) => `${agent} 请求“${permission}”。`,
};

export const formatCodedTextZhCN = createTextFormatter({
  ...agentHints,
  ...approvalWarnings,
  ...noticeTextsZhCN,
  ...problemTextsZhCN,
  ...repositoryTextsZhCN,
});
