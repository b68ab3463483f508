import type { CompressionFailure, LeftOut, NoticeText } from "@skein/contracts";
import type { TextFormats } from "@skein/engine";
import { budgetScopesZhCN, limitReachedZhCN, toAmountZhCN, toResetZhCN, toResourceZhCN } from "./zh-cn-limit-phrases.ts";
import { toLogInZhCN, toNamesZhCN } from "./zh-cn-phrases.ts";

const retry = "请发送一条消息重试。";
const proceed = "发送消息即可继续。";
const review = "请在项目设置中查看。";
const notStarted = "因此智能体没有启动。请解决问题，然后发送一条消息重试。";
const registryOf = (program: string) => (program === "uvx" ? "Python 软件包索引" : "npm 仓库");
const pointers = (count: number) => `此工作树缺少 ${count} 个 Git LFS 文件，暂以指针代替`;
const folderOf = { checkout: "你的工作目录", "another-attempt": "另一次尝试的目录" };
const scriptOf = { setup: "准备脚本", cleanup: "清理脚本", check: "检查脚本", dev: "dev 脚本" };

const leftOut: Readonly<Record<LeftOut, string>> = {
  effort: "去掉设置中的推理强度",
  thoughts: "去掉模型之前的思考",
  images: "去掉图片",
  "thoughts-and-images": "去掉模型之前的思考和所有图片",
  calls: "去掉思考和图片，并以文字代替之前的工具调用",
  "older-outputs": "去掉较早的工具输出",
  outputs: "去掉工具输出，仅保留最新输出的开头",
};

const failures: Readonly<Record<CompressionFailure, string>> = {
  "no-model": "没有设置生成摘要的模型",
  "nothing-to-summarize": "除当前请求外没有可生成摘要的内容",
  "does-not-shrink": "摘要并不比原来的消息短",
  "too-long": "对话超出了摘要模型的长度上限",
  empty: "模型没有写出摘要",
  "cut-short": "摘要被截断",
  refused: "模型拒绝生成摘要",
  "model-failed": "生成摘要的模型出错",
  "timed-out": "生成摘要的模型超时",
  cancelled: "压缩已取消",
  "switched-off": "压缩已关闭",
  "not-automatic": "未启用自动压缩",
  "changed-meanwhile": "对话在此期间已被其他操作压缩",
};

function toPrinted({ stdout, stderr }: { stdout?: string; stderr?: string }): string {
  const line = stdout === undefined ? "" : `它的标准输出中有一行不是 MCP 消息：${stdout}`;
  return `${line}${stderr === undefined ? "" : `它的错误输出：\n${stderr}`}`;
}

function toNoFit(fits: boolean, failure?: CompressionFailure): string {
  if (fits) return "";
  return `下一个请求仍然过长：请${failure === "not-automatic" ? "发送 /compact、" : ""}新建一次尝试，或选择上下文窗口更大的模型。`;
}

const toTokens = (before: number, after: number) => `从 ${before} 个 token 减少到 ${after} 个`;
const toDelay = (ms: number) => (ms < 1000 ? `${ms} 毫秒` : `${Math.round(ms / 1000)} 秒`);
const toDollars = (usd: number) => (usd < 0.0001 ? "不到 $0.0001" : `$${usd < 0.01 ? usd.toPrecision(2) : usd.toFixed(2)}`);

export const noticeTextsZhCN: TextFormats<NoticeText> = {
  "provider-limits": ({ provider, said }) => `${provider} 限制了请求频率：${said}`,
  "provider-stopped-account": ({ provider, said }) => `${provider} 已停用该账户：${said}`,
  "provider-overloaded": ({ provider, said }) => `${provider} 过载或出错：${said}`,
  "conversation-too-long": ({ model, said }) => `对话超出了 ${model} 的长度上限：${said}`,
  "provider-refused-request": ({ provider, said }) => `${provider} 拒绝了请求：${said}`,
  "provider-refused-key": ({ provider, variable, said }) => `${provider} 未接受密钥。请检查 ${variable}。服务商的回复：${said}`,
  "provider-connection-failed": ({ provider, said }) => `与 ${provider} 的连接失败或中断：${said}`,
  "provider-answer-unfinished": ({ provider }) => `与 ${provider} 的连接失败或中断：回答没有结尾。`,
  "provider-answer-stalled": ({ provider, seconds }) => `与 ${provider} 的连接失败或中断：${seconds} 秒内没有收到数据。`,
  "provider-unknown-model": ({ provider, model, said }) => `${provider} 没有模型 ${model}，或 Base URL 有误：${said}`,
  "provider-error": ({ provider, said }) => `${provider} 出错：${said}`,
  "answer-broke-off": "模型的回答中断了。",
  "model-needs-key": ({ model, variable }) => `${model} 需要密钥。请在启动 Skein 的环境中设置 ${variable}。`,
  "model-not-known": ({ model, usable, hasScripts }) =>
    `没有模型“${model}”。此处可用：${usable.join("、")}${hasScripts ? "，或 scripted/<脚本路径>.json" : ""}。有密钥时可用：anthropic/<模型>、openai/<模型>、openai-chat/<模型>、gemini/<模型>。`,

  stopped: "已停止。",
  "step-limit": ({ steps }) => `已在 ${steps} 步后暂停，这是设置中的上限。点击“继续”可从这里接着做。`,
  "budget-reached": ({ scope, measure, spent, limit }) =>
    `${budgetScopesZhCN[scope]}的预算已用完：已用 ${toAmountZhCN(measure, spent)}，预算 ${toAmountZhCN(measure, limit)}。`,
  "provider-limit": ({ agent, limit, resetsAt }) => `${limitReachedZhCN(agent, limit)}${toResetZhCN(resetsAt)}`,
  "continued-elsewhere": ({ from, limit, resetsAt, agent }) =>
    `${limitReachedZhCN(from, limit)}${toResetZhCN(resetsAt)}${agent} 从该次尝试的文件和对话继续。`,
  "cost-limit": ({ spentUsd, limitUsd }) =>
    `已暂停：本次执行花费了 $${spentUsd.toFixed(2)}，上限是 $${limitUsd.toFixed(2)}。点击“继续”可再花费至多 $${limitUsd.toFixed(2)}。`,
  "ended-by-resource-limit": ({ resource, limit, used }) =>
    `已停止：使用量（${toResourceZhCN(resource, used)}）超过了单次执行的上限 ${toResourceZhCN(resource, limit)}。请让智能体一次少用一些，或在“设置 → 上限”中提高上限。${proceed}`,
  "program-over-limit": ({ resource, limit, used, names, more }) =>
    `本次执行使用了 ${toResourceZhCN(resource, used)}，上限是 ${toResourceZhCN(resource, limit)}。${names.length === 0 ? "其中一个程序已被停止" : `已停止：${toNamesZhCN({ names, more })}`}。如果工作确实需要更多，请在“设置 → 上限”中提高上限。`,
  "process-lost": `智能体的进程丢失了：进程或机器被外部停止。${proceed}`,
  "ended-by-signal": ({ signal }) => `智能体被 ${signal} 信号终止。${proceed}`,
  "ended-unfinished": ({ agent }) => `${agent === undefined ? "智能体" : `${agent} `}没有完成回答就结束了。${proceed}`,
  "ended-without-answer": ({ stderr }) =>
    stderr === undefined
      ? "智能体没有给出任何回答就结束了，stderr 中也没有内容。"
      : `智能体没有给出任何回答就结束了。stderr 内容：${stderr}`,
  "ended-without-result": ({ agent }) => `${agent} 没有给出结果就结束了。${proceed}`,
  "ended-before-answer": ({ agent }) => `${agent} 在回答之前就结束了。${retry}`,
  "ended-with-exit-code": ({ exitCode, stderr }) => `智能体结束，退出码为 ${exitCode}。${stderr ?? ""}`,
  "not-finished": "智能体没有完成。",
  "agent-failed": ({ agent, state }) =>
    `${agent === undefined ? "智能体" : `${agent} `}${state === undefined ? "报告失败。" : `已停止：${state}。`}`,
  "agent-gave-no-reason": ({ agent }) => `${agent} 失败，且没有给出原因。`,
  "not-started": ({ reason }) => `智能体无法启动：${reason}`,
  "node-given-up": `运行该智能体的服务器已失联并被移除，此后智能体在那台机器上所做的工作没有记录。${proceed}`,
  "not-started-again": `此次执行没有启动：数据库是较旧的副本，它可能已经运行过。${proceed}`,
  "program-missing": ({ agent, program }) => `${agent} 无法启动：${program} 已不存在。请重新安装，或在设置中更正命令。`,
  "program-not-executable": ({ agent, program }) => `${agent} 无法启动：${program} 没有可执行权限。请运行 chmod +x，或在设置中更正命令。`,
  "program-not-started": ({ agent, reason }) => `${agent} 无法启动：${reason}`,
  "setup-failed": ({ exitCode }) => `准备脚本失败，退出码为 ${exitCode}，${notStarted}`,
  "setup-timed-out": ({ seconds }) => `准备脚本在 ${seconds} 秒内没有结束，${notStarted}`,
  "setup-not-started": ({ reason }) => `准备脚本无法启动（${reason}），${notStarted}`,
  "setup-ended-by-signal": ({ signal }) => `准备脚本被 ${signal} 信号终止，${notStarted}`,
  "model-declined": "模型拒绝回答。",
  "model-reached-output-limit": "模型在完成之前达到了输出上限。",
  "agent-reached-request-limit": "智能体在完成之前达到了请求次数上限。",
  "native-failed": ({ reason }) => `Skein 自带的智能体出错：${reason}`,
  "native-not-started": ({ reason }) => `Skein 自带的智能体无法启动：${reason}`,
  "history-unreadable": ({ reason }) => `无法读取对话历史：${reason}`,

  "message-resent": "消息已重新发送。",
  "message-not-sent": ({ images, message }) =>
    `此消息${images === 0 ? "" : `（含 ${images} 张图片）`}在制作该数据库副本时正在排队，没有再次发送。如仍需要，请重新发送：\n\n${message}`,
  "result-not-saved": ({ reason }) => `结果暂时无法保存（${reason}）。不会丢失任何内容：Skein 会一直重试到成功。`,
  "result-saved": "结果已保存。",

  "approval-tampered": ({ tool }) => `智能体在 Skein 中尚无人答复时就使用了 ${tool}。请检查它做了什么；如果原因不明，请停止它。`,
  "control-refused":
    "有 Skein 以外的程序试图控制此智能体，例如代你答复审批，已被拒绝。如果不是你本人所为，请停止智能体并检查它运行过的内容。",
  "no-plan-mode": ({ agent }) => `${agent} 没有计划模式，请选择其他权限模式。`,
  "plan-mode-not-offered": ({ agent }) => `${agent} 不提供计划模式，因此没有发送任何内容。请选择其他权限模式后重新发送消息。`,
  "codex-without-plan-mode": "此版本的 Codex 没有计划模式。请更新（npm install -g @openai/codex）或选择其他模式。",
  "codex-without-system-prompt": "此版本的 Codex 不支持系统提示词，你的提示词已被忽略。请更新（npm install -g @openai/codex）。",
  "codex-cannot-ask": "此版本的 Codex 不支持权限询问，因此只能读取。请更新（npm install -g @openai/codex）或选择其他模式。",
  "permissions-not-asked": ({ agent }) => `${agent} 不支持权限询问：无论选择哪种模式，它都以完全访问运行。`,
  "acted-unasked": ({ agent }) =>
    `权限模式并非完全访问，但 ${agent} 未经询问就执行了操作。Skein 只能答复智能体提出的请求，无法强制它遵守该模式。`,
  "changed-elsewhere": ({ owner, files, isCertain }) =>
    isCertain
      ? `智能体修改了${folderOf[owner]}中不属于这次尝试的文件：${files.join("、")}。这些修改不在这次尝试的改动之内。`
      : `智能体运行的命令提到了${folderOf[owner]}中的文件，运行期间这些文件发生了变化：${files.join("、")}。这些变化不在这次尝试的改动之内。`,
  "agent-settings-not-used": ({ state, ...files }) =>
    `${state === "changed" ? "此仓库的智能体设置在你信任之后有改动" : "此仓库包含你尚未信任的智能体设置"}（${toNamesZhCN(files)}），智能体启动时未使用它们。${review}`,
  "agent-settings-refused": ({ agent, ...files }) =>
    `此仓库包含你尚未信任的 ${agent} 设置（${toNamesZhCN(files)}），而 ${agent} 无法在不使用它们的情况下启动。请在项目设置中查看并信任，或将其删除。`,
  "scripts-not-used": ({ what, state }) =>
    `此仓库的${what === "setup" ? "准备脚本" : "复制文件列表"}${state === "changed" ? "在你信任之后有改动" : "尚未获得你的信任"}，因此未使用。请在项目设置中查看；信任后从下一条消息起生效。`,
  "check-not-trusted": ({ state }) =>
    `检查脚本未运行：${state === "changed" ? "它在你信任之后有改动" : "你尚未信任它"}。请在项目设置中查看，然后运行检查。`,
  "check-superseded": () => "检查脚本未运行：在此之前又发送了消息。",
  "check-stopped": () => "检查在开始前已被停止。",
  "check-missing": () => "项目没有检查脚本。请在 .skein/project.json 中添加 `check`，并在项目设置中信任它。",
  "check-folder-gone": () => "检查脚本未运行：该尝试的文件夹已不存在。",
  "check-not-started": ({ reason }) => `检查脚本无法启动（${reason}）。`,
  "script-files-changed": ({ script, ...files }) =>
    `${scriptOf[script]}未运行：它运行的文件在你信任之后有改动（${toNamesZhCN(files)}）。${review}`,
  "script-not-run": ({ script, reason }, format) => `${scriptOf[script]}未运行：${format(reason)}${review}`,
  "trust-unreadable": ({ path }) => `无法读取 ${path}，其中列出的内容均不受信任。请删除该文件，然后重新信任。`,

  "folder-restored": ({ branch }) => `这次尝试的目录丢失，已从分支 ${branch} 重新创建，但不包含未提交的改动。`,
  "shared-folder": ({ attempt, task }) =>
    `另一个智能体正同时在此目录中工作（${task === undefined ? "另一个任务" : `任务“${task}”`}的尝试 ${attempt}）：双方可能覆盖彼此的修改。`,
  "lfs-not-trusted": ({ count }) =>
    `${pointers(count)}。如需下载，请在项目设置中信任 Git LFS，或在仓库中运行“git lfs fetch”，然后发送一条消息。`,
  "lfs-moved": ({ count, address }) => `${pointers(count)}。下载地址已变为 ${address}，你尚未信任该地址。请在项目设置中查看 Git LFS。`,
  "lfs-no-program": ({ count }) => `${pointers(count)}：找不到 git-lfs 程序。请安装后再发送一条消息。`,
  "lfs-failed": ({ count, said }) => `${pointers(count)}：git-lfs 下载失败。${said}`,
  "lfs-no-room": ({ count }) => `${pointers(count)}：磁盘空间不足。请腾出空间，然后发送一条消息。`,
  "lfs-not-found": ({ count }) => `${pointers(count)}：未找到文件内容，或内容与指针不符。`,
  "lfs-no-server": ({ count }) => `${pointers(count)}：仓库没有远程，因此没有可用的 Git LFS 服务器。`,
  "lfs-no-protocol": ({ count }) => `${pointers(count)}：Skein 只从 https、http 和 ssh 地址下载 Git LFS 文件。`,
  "lfs-not-placed": ({ reason }) => `无法将 Git LFS 文件放入此工作树：${reason}`,

  "mcp-server-edited": ({ server, ...files }) =>
    `MCP 服务器“${server}”未启动：它运行的文件在你信任之后有改动（${toNamesZhCN(files)}）。智能体将在没有它的情况下继续。请在项目设置中查看改动。`,
  "mcp-servers-not-trusted": ({ servers }) =>
    `此项目中未获信任的 MCP 服务器未启动：${servers.map(({ name, isChanged }) => (isChanged ? `${name}（有改动）` : name)).join("、")}。`,
  "mcp-server-not-started": ({ server, reason }, format) => `MCP 服务器“${server}”无法启动，因此不提供它的工具。${format(reason)}`,
  "mcp-server-lost": ({ server, reason }, format) => `与 MCP 服务器“${server}”的连接在调用期间断开。${format(reason)}`,
  "mcp-server-restarted": ({ server }) => `MCP 服务器“${server}”已重新启动。`,
  "mcp-server-not-restarted": ({ server, reason }, format) => `MCP 服务器“${server}”无法重新启动，它的工具不再可用。${format(reason)}`,
  "mcp-no-answer": ({ seconds, ...printed }) => `它在 ${seconds} 秒内没有响应。${toPrinted(printed)}`,
  "mcp-exited": ({ exitCode, ...printed }) => `它已退出，退出码为 ${exitCode}。${toPrinted(printed)}`,
  "mcp-killed": ({ signal, ...printed }) => `它被信号 ${signal} 终止。${toPrinted(printed)}`,
  "mcp-message-too-long": ({ maxBytes, ...printed }) => `有一条消息超过 ${maxBytes} 字节，Skein 已将它终止。${toPrinted(printed)}`,
  "mcp-connection-closed": (printed) => `连接已关闭。${toPrinted(printed)}`,
  "mcp-connection-failed": ({ said, ...printed }) => `连接失败：${said}${toPrinted(printed)}`,
  "mcp-program-not-found": ({ command }) => `找不到程序“${command}”或工作目录。`,
  "mcp-program-not-started": ({ command, error }) => `无法启动程序“${command}”：${error}`,
  "mcp-key-required": ({ status }) => `它需要密钥（HTTP ${status}）。请在它的定义的 headers 中添加。`,
  "mcp-redirects-elsewhere": ({ origin }) => `它重定向到另一台服务器 ${origin}。`,
  "mcp-redirects-too-often": ({ max }) => `它的重定向超过 ${max} 次。`,
  "mcp-files-changed": (files) => `它运行的文件在获得信任之后有改动（${toNamesZhCN(files)}）。${review}`,
  "mcp-files-not-listed": ({ reason }, format) => `${format(reason)}${review}`,
  "mcp-server-tools-changed": ({ server }) => `MCP 服务器“${server}”更改了它的工具。新工具从下一条消息起可用。`,
  "mcp-tools-left-out": ({ left, total }) => `MCP 服务器的工具数量超出了模型的上限：${total} 个中有 ${left} 个未提供。`,
  "mcp-tools-withheld": ({ server, tools }) =>
    `MCP 服务器“${server}”的以下工具是新增的，或在你信任之后有改动，因此未提供：${tools.join("、")}。如需使用，请重新信任该服务器。`,

  "session-replaced": ({ agent, isInformed }) =>
    `${agent} 已找不到此对话的会话，因此新建了一个会话${isInformed ? "，并附上了之前的对话" : ""}。`,
  "agent-mode": ({ mode }) => `智能体的模式现为 ${mode}。`,
  "images-left-out": ({ agent }) => `${agent} 不支持图片，只发送了文字。`,
  "agent-downloading": ({ agent, program }) => `${program} 正在下载 ${agent}。只需下载一次，可能需要几分钟。`,
  "download-unreachable": ({ agent, program }) =>
    `${agent} 下载失败：${program} 无法连接 ${registryOf(program)}。请连接网络或检查代理设置，然后发送一条消息重试。下载完成后，启动不再需要网络。`,
  "download-unknown": ({ agent, program, package: wanted }) =>
    `${agent} 下载失败：${program} 使用的 ${registryOf(program)} 中没有 ${wanted}。请在“设置 → 智能体”中用自己的命令添加。`,
  "download-failed": ({ agent, program, said }) => `${agent} 下载失败（${program}）：${said}`,
  "no-hello": ({ agent, seconds }) => `${agent} 在 ${seconds} 秒内没有响应。请确认它的命令支持 ACP。`,
  "protocol-version-differs": ({ agent, theirs, ours }) =>
    `${agent} 使用 ACP 第 ${theirs} 版，Skein 使用第 ${ours} 版。请更新其中较旧的一个。`,
  "session-resumed": ({ agent }) => `这次尝试继续 ${agent} 已有的会话。智能体知道其中的内容，但不在此显示。`,
  "session-not-resumed": ({ agent, session, said }) =>
    `${agent} 无法恢复会话 ${session}${said === undefined ? "：它不支持恢复会话" : `（${said}）`}。没有发送任何内容。请新建一次尝试，选择其他会话或新会话。`,
  "session-not-named": ({ agent }) => `${agent} 打开的会话没有 ID。请更新它，然后发送一条消息重试。`,
  "output-limit": "回答达到模型的输出上限，已被截断。",
  "empty-answer": ({ agent }) => `${agent === undefined ? "模型" : `${agent} `}没有给出回答就结束了。`,
  "waiting-for-background": ({ agent, commands }) => `${agent} 已经回答，正在等待后台命令：${commands.join("、")}。停止会结束这些命令。`,
  "conversation-compacted": ({ agent, isAutomatic, tokensBefore, tokensAfter }) => {
    const size =
      tokensBefore === undefined
        ? ""
        : tokensAfter === undefined
          ? `（原为 ${tokensBefore} 个 token）`
          : `（${tokensBefore} → ${tokensAfter} 个 token）`;
    return `${agent} ${isAutomatic ? "自动" : ""}为对话生成了摘要${size}。`;
  },
  "conversation-reset": ({ agent }) => `${agent} 开始了新的对话，不再记得以上消息。`,
  "api-retry": ({ said, attempt, most, delayMs }) =>
    `API ${said === undefined ? "没有响应" : `返回 ${said}`}：${delayMs === undefined ? "" : `${(delayMs / 1000).toFixed(1)} 秒后`}进行第 ${attempt} 次重试${most === undefined ? "" : `（最多 ${most} 次）`}。`,
  "hook-failed": ({ hook, exitCode, outcome, said }) =>
    `钩子${hook === undefined ? "" : ` ${hook} `}${exitCode === undefined ? `失败${outcome === undefined ? "" : `（${outcome}）`}` : `失败，退出码为 ${exitCode}`}。${said ?? ""}`,
  "background-command-ended": "一个后台命令已结束。",
  "background-task-ended": ({ state }) => `一个后台任务已结束：${state}。`,
  "notice-without-text": ({ agent }) => `${agent} 发送了一条没有内容的通知。`,
  "unknown-output": ({ agent, kind }) => `${agent} 发送了“${kind}”，此版本的 Skein 无法识别。内容保存在执行日志中。`,
  "unknown-request": ({ agent, kind }) => `${agent} 请求“${kind}”，此版本的 Skein 无法识别，已拒绝。`,
  "request-refused": ({ agent, said }) => `${agent} 拒绝了请求${said === undefined ? "。" : `：${said}`}`,
  "agent-error": ({ agent }) => `${agent} 报告了错误。`,
  "model-call-failed": "对模型的请求失败。",
  "summary-model-unusable": ({ reason }, format) => `摘要改由这次尝试的模型生成：${format(reason)}`,
  "sent-without": ({ reason, leftOut: part }, format) => `${format(reason)}\n已${leftOut[part]}后重新发送请求。对话本身没有改变。`,
  "background-commands-ended": ({ commands }) =>
    `后台命令随执行一同结束。当时仍在运行：${commands.map((command) => `\`${command}\``).join("、")}`,
  "not-released": ({ reason }) => `智能体启动的某些程序无法结束：${reason}`,

  "login-rejected": ({ agent, said, login }) => `${agent} 的登录未被接受（“${said}”）。${toLogInZhCN(login)}`,
  "key-rejected": ({ agent, gateway, said }) => `${gateway} 拒绝了 ${agent} 的 API 密钥（“${said}”）。请检查为该地址设置的密钥。`,
  "no-quota": ({ agent, said }) => `${agent} 所用账户的额度已用完（“${said}”）。请检查套餐和账单，或选择其他模型。`,
  "rate-limited": ({ agent, said }) => `模型服务商限制了 ${agent} 的请求频率（“${said}”）。请等待一分钟，然后发送一条消息重试。`,
  "provider-failed": ({ said }) => `模型服务商出错（“${said}”）。这通常是暂时的：发送一条消息即可重试。`,
  "model-unreachable": ({ agent, said }) => `${agent} 无法连接到模型（“${said}”）。请检查网络和代理设置，然后发送一条消息重试。`,
  "credit-too-low": ({ said }) =>
    `账户余额不足（“${said}”）。请在 https://console.anthropic.com 充值，或用订阅登录：运行 \`claude\` 并输入 /login。`,
  "option-unknown": ({ agent, option, install }) => `${agent} 不支持选项 ${option}：版本过旧。请运行：${install}`,
  "variable-not-passed": ({ agent, id, variable }) =>
    `${agent} 需要 ${variable}，但 Skein 不会传递它。请在 config.json 中添加：{"agents": {"${id}": {"environment": {"${variable}": "…"}}}}`,
  "sandbox-failed": ({ agent }) =>
    `${agent} 无法在本机启动沙箱，因此它的命令不会运行。请安装 bubblewrap 并允许用户命名空间；如果本机本身就是沙箱，也可以选择“完全访问”权限模式。`,
  "model-silent": ({ seconds }) => `模型已有 ${seconds} 秒没有响应，智能体可能正在重试失败的请求。`,
  "model-was-silent": ({ seconds }) => `模型曾有 ${seconds} 秒没有响应。`,
  "model-retried": ({ attempt }) => `对模型的请求失败：第 ${attempt} 次重试。`,
  "retry-waiting": ({ reason, attempt, delayMs }, format) => `${format(reason)}\n${toDelay(delayMs)}后重试（第 ${attempt} 次）。`,
  "retry-succeeded": ({ reason, attempt }, format) => `${format(reason)}\n重试 ${attempt} 次后成功。`,
  "retry-failed": ({ reason, attempt }, format) => `${format(reason)}\n重试 ${attempt} 次后仍然失败。`,

  "conversation-compressed": ({ messages, tokensBefore, tokensAfter, model, inputTokens, outputTokens, costUsd, fits }) => {
    const used = inputTokens === undefined || outputTokens === undefined ? "" : `，输入 ${inputTokens} 个、输出 ${outputTokens} 个 token`;
    const cost = costUsd === undefined || costUsd === 0 ? "" : `，花费 ${toDollars(costUsd)}`;
    return `在请求中以摘要代替 ${messages} 条消息：${toTokens(tokensBefore, tokensAfter)}。由 ${model} 生成${used}${cost}。${toNoFit(fits)}`;
  },
  "outputs-pruned": ({ failure, outputs, tokensBefore, tokensAfter, fits }) =>
    `${failures[failure]}，因此请求中不再包含最早的 ${outputs} 个工具输出：${toTokens(tokensBefore, tokensAfter)}。没有删除任何内容。${toNoFit(fits, failure)}`,
  "compression-failed": ({ failure, fits }) =>
    `${failures[failure]}，没有任何改变。${failure === "switched-off" ? "请在“设置 → 对话”中开启，然后发送 /compact。" : ""}${toNoFit(fits, failure)}`,
  "compression-not-needed": "对话还不长，无需压缩。",

  "agent-unusable": ({ hint }, format) => format(hint),
};
