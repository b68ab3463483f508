import type { MessageText, ProblemText } from "@skein/contracts";
import type { FormatText, TextFormats } from "@skein/engine";
import { faultsZhCN } from "./zh-cn-faults.ts";
import { forgeTextsZhCN } from "./zh-cn-forge-texts.ts";
import { gitTextsZhCN } from "./zh-cn-git-texts.ts";
import { toNamesZhCN } from "./zh-cn-phrases.ts";

const missing =
  (what: string) =>
  ({ id }: { id: string }) =>
    `没有${what} ${id}，它可能已被删除。`;

const changed = "显示之后内容有改动。请重新查看，然后再信任。";
const notTrusted = "此项目没有信任这些内容。";
const notBuilt = ({ reason }: { reason: MessageText }, format: FormatText) => `无法生成下一个请求。${format(reason)}`;
const toPart = ({ message, toolCallId }: { message?: number; toolCallId?: string }) => {
  const part = [
    ...(message === undefined ? [] : [`第 ${message} 条消息`]),
    ...(toolCallId === undefined ? [] : [`工具调用 ${toolCallId}`]),
  ];
  return part.length === 0 ? "" : `（${part.join("，")}）`;
};
const ofBranch = (branch: string | undefined) => (branch === undefined ? "其分支" : `分支 ${branch} `);

export const problemTextsZhCN: TextFormats<ProblemText> = {
  ...gitTextsZhCN,
  ...forgeTextsZhCN,

  "internal-error": "Skein 内部出错。详情见服务器日志。",
  "sandbox-unavailable": ({ state, detail }) => {
    const reasons = {
      system: "沙箱需要 x86-64 或 ARM64 的 Linux。",
      "not-installed": "未安装 bubblewrap。请先安装，例如运行：sudo apt install bubblewrap",
      "not-permitted": `bubblewrap 无权创建命名空间：${detail ?? ""}`,
    };
    return `未启动智能体，因为这台机器无法运行它的沙箱：${reasons[state]}`;
  },
  "storage-unavailable": ({ cause }) => `${faultsZhCN.title}${faultsZhCN.causes[cause] ?? ""}`,
  "method-not-allowed": ({ allowed }) => `不允许使用此方法。允许：${allowed.join("、")}。`,
  "unknown-route": ({ path }) => `路径 ${path} 不存在。所有路由见 /api/openapi.json。`,
  "not-found": ({ id }) => `找不到 ${id}。`,
  "invalid-request": ({ place, path, reason }, format) => {
    const where = place === "query" ? "查询参数" : "请求内容";
    return `${where}无效${path === "" ? "" : `（${path}）`}${reason === undefined ? "" : `：${format(reason)}`}。`;
  },
  "unsupported-media-type": "请以 JSON 发送请求内容，并设置请求头 content-type: application/json。",
  "malformed-json": ({ reason }) => `请求内容不是有效的 JSON${reason === undefined ? "" : `（${reason}）`}。`,
  "body-too-large": ({ maxBytes }) => `请求内容过大，上限为 ${maxBytes} 字节。`,
  "malformed-request": "这不是有效的 HTTP 请求。",
  "headers-too-large": "请求头过大。",
  "request-timeout": "请求未能及时到达。",
  "too-many-event-clients": ({ count }) => `已打开 ${count} 个事件流。请关闭一些连接到 Skein 的标签页或程序。`,
  "host-not-allowed": "不能用此主机名访问该服务器。",
  "origin-not-allowed": ({ isOwn }) =>
    isOwn ? "请求的 Origin 与 Host 请求头不一致。代理必须原样传递 Host 请求头。" : "其他来源的页面不能使用此服务器。",
  "token-required": "只有持有 Bearer 令牌的程序才能执行此操作。",
  unauthorized: "请先登录。浏览器需要新的链接，可用 npm start 或 skein open 获取；程序需要以 token 文件的内容作为 Bearer 令牌。",
  "metrics-off": "此服务器未启用指标。请设置 SKEIN_METRICS=1，或在 config.json 中设置 telemetry.metrics，然后重新启动。",
  "team-mode-off": "此服务器没有用户。要使用账号，请用 skein serve --team 启动。",
  "sign-in-failed": "邮箱或密码不正确。",
  "sign-in-limited": ({ seconds }) => `失败次数过多，请在 ${seconds} 秒后重试。`,
  "sign-in-busy": "当前登录人数过多，请稍后再试。",
  "sign-in-not-completed": ({ provider, reason }) => `通过 ${provider} 登录失败：${reason}。请重试。`,
  "sign-in-not-invited": ({ provider }) => `${provider} 已确认你的身份，但此服务器上没有使用该邮箱的用户。请联系管理员获取邀请。`,
  "sign-in-provider-not-found": ({ id }) => `没有名为 ${id} 的登录方式。`,
  "invitation-not-valid": "此邀请已失效：每个邀请只能使用一次，并且会过期。请索取新的邀请。",
  "invitation-needs-email": "请输入用于登录的邮箱。",
  "email-taken": ({ email }) => `邮箱 ${email} 已被其他用户使用。`,
  "password-wrong": "当前密码不正确。",
  "role-required": ({ role }) =>
    `只有项目的${{ viewer: "查看者", member: "成员", owner: "所有者" }[role] ?? role}才能执行此操作。请联系项目所有者。`,
  "admin-required": "只有此服务器的管理员才能执行此操作。",
  "scope-required": ({ scope }) => `API 令牌 缺少所需的权限范围：${scope}。`,
  "token-needs-user": "此服务器有多个用户：请指定 API 令牌 属于哪个用户。",
  "not-for-agents": "智能体无权执行此操作，请让用户在 Skein 中完成。",
  "agent-mode-too-high": ({ mode }) =>
    `智能体启动的其他智能体不能拥有比自己更大的权限。请使用权限模式 ${mode} 或更严格的模式，或省略此项。`,
  "agent-needs-sandbox": "该智能体在沙箱中运行，只能把工作交给同样在沙箱中运行的尝试。",
  "agent-needs-worktree": "智能体只能在独立的工作树中启动其他尝试。请省略 isolation。",
  "not-started-by-agent": ({ id }) => `智能体只能向自己启动的尝试发送消息或停止它们，而 ${id} 不是由它启动的。请改为新建一个尝试。`,
  "agent-depth-limit": ({ limit }) =>
    `智能体逐级启动智能体已达到上限（${limit} 级）。请自行完成，或让用户在“设置 → 供智能体使用”中调高上限。`,
  "agent-start-limit": ({ limit }) =>
    `此访问权限可启动的数量已达到上限（${limit}）。请继续使用已在运行的任务，或让用户在“设置 → 供智能体使用”中调高上限。`,
  "agent-cost-limit": ({ limitUsd, costUsd }) =>
    `通过此访问权限启动的任务已花费 $${costUsd.toFixed(2)}，上限为 $${limitUsd.toFixed(2)}。请让用户在“设置 → 供智能体使用”中调高上限。`,
  "request-id-reused": "此 id 已用于内容不同的请求。新的请求请使用新的 id。",
  "browser-required": "此操作需要已登录的浏览器，不能使用 API 令牌。",
  "user-deactivated": "此用户已停用。",
  "last-admin": "这是最后一位有效的管理员。请先将其他用户设为管理员。",
  "key-not-readable": ({ name }) =>
    `${name} 的密钥由使用另一密钥的服务器保存。请在所有服务器上将 SKEIN_CLUSTER_SECRET 设为相同的值，或重新输入该密钥。`,
  "user-not-found": ({ id }) => `没有用户 ${id}。`,
  "session-not-found": ({ id }) => `没有会话 ${id}。`,
  "token-not-found": ({ id }) => `没有 API 令牌 ${id}。`,
  "invitation-not-found": ({ id }) => `没有邀请 ${id}。`,
  "launch-code-not-valid": "此启动链接已失效：每个链接只能让一个浏览器登录一次，十分钟内有效。请用 npm start 或 skein open 获取新的链接。",

  "project-not-found": missing("项目"),
  "task-not-found": missing("任务"),
  "attempt-not-found": missing("尝试"),
  "execution-not-found": missing("执行"),
  "message-not-found": missing("消息"),
  "inbox-item-not-found": missing("收件箱条目"),
  "output-not-found": missing("输出"),
  "queued-message-not-found": missing("排队的消息"),
  "permission-rule-not-found": missing("已授予的许可"),
  "approval-not-found": missing("审批"),
  "comment-not-found": missing("评论"),
  "quarantined-execution-not-found": missing("被隔离的执行"),
  "agent-not-found": missing("智能体"),

  "agent-not-added": ({ id }) => `智能体 ${id} 不是你添加的，不能在此更改。`,
  "not-in-catalogue": ({ id }) => `清单中没有智能体“${id}”。`,
  "agent-built-in": ({ agent, builtIn }) => `${agent} 已内置于 Skein（${builtIn}），无需添加。`,
  "catalogue-changed": ({ agent }) => `${agent} 的清单条目在显示之后有改动。请重新查看它的命令。`,
  "agent-exists": ({ id }) => `已有智能体 ${id}，使用的是你自己的命令。请先将其移除。`,
  "terminals-off": () => '此服务器已关闭终端。管理员可在 config.json 中设置 `"terminals": true` 来开启。',
  "terminals-unavailable": ({ reason }) => `无法在此机器上启动程序：${reason}`,
  "too-many-terminals": ({ limit }) => `该尝试已有 ${limit} 个终端。请先关闭其中一个。`,
  "terminal-not-found": ({ id }) => `没有终端 ${id}，它可能已被关闭。`,
  "no-free-port": () => "20000 到 29999 之间没有可供开发服务器使用的空闲端口。请停止占用这些端口的程序。",
  "dev-script-missing": () =>
    "项目没有 dev 脚本。请在 .skein/project.json 中添加 `dev`，例如 `npm run dev -- --port $SKEIN_PORT`，并在项目设置中信任它。",
  "dev-script-unusable": ({ reason }, format) => `开发服务器未启动。${format(reason)}`,
  "dev-in-sandbox": () => "沙箱中的尝试使用独立的网络，无法访问其中的开发服务器。请使用不带沙箱的尝试。",
  "host-unreachable": ({ host }) => `工作机 ${host} 未连接。请检查该机器及其网络；其上的智能体会继续运行。`,
  "host-removed": ({ host }) => `工作机 ${host} 已被移除。请将该尝试移到其他工作机或本机。`,
  "host-busy": ({ host }) => `工作机 ${host} 上运行的智能体已达上限，消息将等待其中一个结束。`,
  "host-draining": ({ host }) => `工作机 ${host} 不再启动新的智能体。请重新启用它，或将该尝试移到其他工作机。`,
  "host-not-found": ({ host }) => `没有 ID、名称或标签为 ${host} 的已连接工作机。`,
  "host-needs-worktree": ({ host }) => `工作机 ${host} 上的尝试必须使用工作树：项目目录在服务器上。`,
  "host-lacks-agent": ({ host, agent }) => `工作机 ${host} 上没有智能体 ${agent}。请在该机器上安装，或选择其他工作机。`,
  "already-on-host": () => "该尝试已在那里。",
  "attempt-not-mirrored": ({ host }) => `尚未从工作机 ${host} 收到该尝试的任何内容，因此无法在别处继续。`,
  "worker-code-not-valid": () => "此邀请码无效：已被使用或已过期。请重新创建：skein workers invite",
  "worker-refused": () => "服务器不认识此工作机，或它已被移除。请重新邀请：skein workers invite",
  "agent-not-available": ({ agent, known, hint }, format) => {
    if (known !== undefined) return `此处没有智能体“${agent}”。可用：${known.join("、")}。`;
    return `${agent} 无法在此启动。${hint === undefined ? "" : format(hint)}`;
  },
  "model-not-usable": ({ reason }, format) => format(reason),
  "unknown-agent-mode": ({ mode }) => `智能体的会话没有模式“${mode}”。`,
  "sessions-not-offered": ({ agent }) => `${agent} 不支持列出和恢复会话。`,
  "sessions-not-listed": ({ agent, reason }, format) => `${agent} 无法列出会话。${format(reason)}`,
  "session-needs-project-folder": "会话与其所在目录绑定。要继续会话，请让尝试在项目目录中工作。",
  "session-or-attempt": "一次尝试只能继续一个会话或另一次尝试，请选择其一。",

  "project-exists": ({ path, project }) => `“${path}”已添加，项目名为“${project}”。`,
  "uncommitted-changes": ({ attempt, directory, ...files }) =>
    directory === undefined
      ? `尝试 ${attempt} 有未提交的改动：${toNamesZhCN(files)}。请先提交，或确认丢弃后再删除。`
      : `尝试 ${attempt} 的仓库丢失或损坏，Skein 无法检查 ${directory} 中是否有未提交的改动。请先保存需要的内容，再确认丢弃并删除。`,
  "attempt-continued": ({ attempt, next }) => `尝试 ${next} 接续自尝试 ${attempt}，需要它的对话。请先删除尝试 ${next}。`,
  "attempt-id-taken": ({ id }) => `ID ${id} 属于另一个任务的尝试。请换一个 ID。`,
  "source-not-found": ({ id }) => `此任务没有可以接续的尝试 ${id}。`,
  "source-in-worktree": ({ attempt }) => `尝试 ${attempt} 在自己的工作树中工作，它的文件不在项目目录中。请在工作树中接续。`,
  "fork-source-not-found": ({ id }) => `此任务没有可供分叉的执行 ${id}。`,
  "fork-needs-worktree": "分叉会使用较早时刻的文件，因此需要独立的工作树。",
  "fork-or-continue": "新的尝试只能从某次执行分叉，或接续另一次尝试或会话，请选择其一。",
  "no-attempt": "此任务还没有尝试。请先新建一次尝试。",
  "empty-message": "消息为空。请输入内容，或添加图片。",
  "cannot-retry": "只能重新发送尝试中最新的消息，且智能体尚未开始处理。请改为发送新消息。",
  "image-too-large": ({ width, height, maxEdge, maxPixels }) =>
    `图片为 ${width} × ${height} 像素。请发送边长不超过 ${maxEdge} 像素、总计不超过 ${maxPixels / 10_000} 万像素的图片。`,
  "execution-not-waiting": "该执行已不在等待：它已经启动或被停止。",
  "already-handed-over": "智能体已收到此消息，无法再更改。",
  "inbox-item-superseded": "这次尝试之后又收到了新消息。",
  "node-unreachable": ({ name }) =>
    `它位于服务器 ${name} 所在的机器上，目前无法连接该服务器。请启动它；如果它不再恢复，请用 \`skein nodes remove\` 将其移除。`,
  "node-not-found": ({ id }) => `没有服务器 ${id}。`,
  "node-draining": ({ name }) => `服务器 ${name} 正在排空，不接受新项目。请使用其他服务器，或重新启用它：skein nodes undrain ${name}`,
  "node-alive": ({ name }) => `服务器 ${name} 正在运行。移除前请先将其停止。`,
  "template-not-found": missing("模板"),
  "schedule-not-found": missing("定时任务"),
  "webhook-not-found": "没有这个 Webhook，它可能已被删除。",
  "delivery-refused": "没有这个 Webhook，或投递未用其密钥签名。",
  "webhook-off": "此 Webhook 已关闭。",
  "webhook-limited": ({ seconds }) => `此 Webhook 收到的投递过多，请在 ${seconds} 秒后重试。`,
  "template-in-use": (users) => `${toNamesZhCN(users)} 正在使用此模板，请先修改或删除它们。`,
  "template-values-missing": (variables) => `以下变量需要填写值：${toNamesZhCN(variables)}。`,
  "other-project": "该模板或尝试属于另一个项目。",
  "cron-invalid": ({ cron }) =>
    `“${cron}” 不是有效的 cron 表达式，或没有下一次时间。请填写五段：分钟、小时、日、月、星期，例如 0 9 * * 1-5。`,
  "time-zone-invalid": ({ timeZone }) => `“${timeZone}” 不是有效的时区。请使用 IANA 名称，例如 Asia/Shanghai。`,
  "run-starting": "正在启动一次运行。",
  "previous-run-open": "上一次运行仍在进行。",
  "automation-user-lost": ({ name }) => `最后保存者 ${name} 已无权在该项目中工作。任何成员重新保存后即可接管。`,
  "job-not-found": ({ id }) => `没有作业 ${id}。`,
  "check-open": "该尝试的检查已在运行。",
  "no-open-check": "该尝试没有正在运行的检查。",
  "attempt-active": "当前尝试不能归档。请先切换到其他尝试。",
  "job-over": "该作业已结束，或正由其他服务器运行。",
  "nodes-not-shared": "此服务器使用 SQLite 数据库，无法与其他服务器共享。",
  "answered-by-agent": "此答复来自运行中的智能体所启动的进程，已被拒绝。请在浏览器或你自己的终端中答复。",
  "approval-already-resolved": "此请求已被答复，或其执行已经结束。",
  "nothing-to-undo": "此对话没有被压缩过。",
  "not-recoverable": ({ id, directory }) => `执行 ${id} 来自较早的版本，没有记录它的任务。日志位于 ${directory}。`,
  "agent-running": ({ id }) => `${id} 的智能体仍在运行。请先停止或恢复它。`,
  "attempt-running": ({ attempt, task }) => `“${task}”的尝试 ${attempt} 正在运行。请等它结束或将其停止，然后恢复此执行。`,
  "preview-failed": ({ directory, reason }) =>
    `无法生成下一个请求。${directory === undefined ? "" : `请确认目录 ${directory} 仍然存在。`}（${reason}）`,
  "request-empty": "无法生成下一个请求：其中没有消息。",
  "request-starts-with-tool": "无法生成下一个请求：它以工具结果开头。",
  "request-orphaned-tool": (part) => `无法生成下一个请求：其中有工具结果没有对应的调用${toPart(part)}。`,
  "request-unanswered-call": (part) => `无法生成下一个请求：其中有工具调用没有结果${toPart(part)}。`,
  "model-rate-limit": notBuilt,
  "model-quota": notBuilt,
  "model-overloaded": notBuilt,
  "model-context-too-long": notBuilt,
  "model-bad-request": notBuilt,
  "model-auth": notBuilt,
  "model-network": notBuilt,
  "model-unknown-model": notBuilt,
  "model-other": notBuilt,

  "no-message-model": "尚未配置可以建议提交说明的模型。请在设置中添加 API 密钥。",
  "message-model-changed": ({ model }) => `没有发送任何内容：现在会由 ${model} 建议提交说明。如果同意，请重试。`,
  "commit-message-failed": ({ model, reason }, format) => `${model} 没有给出提交说明。${format(reason)}`,
  "base-not-found": ({ branch }) => `此仓库中没有分支或提交“${branch}”。`,
  "no-commit": "此仓库还没有提交，无法创建分支。请先提交一次，或在原目录中开始尝试。",
  "no-branch-name": ({ prefix }) => `分支名 ${prefix}-… 均已被占用。请删除旧分支，或重命名任务。`,
  "objects-missing": "仓库（部分克隆）缺少此提交的一些文件，Skein 不会下载它们。请先检出一次该提交，然后重试。",
  "folder-gone": ({ directory }) => `目录 ${directory} 已不存在。请恢复它，或删除项目。`,
  "folder-replaced": ({ directory, branch }) =>
    `目录 ${directory} 被替换成了链接，因此智能体没有启动。请删除该链接，然后发送一条消息：目录会从${ofBranch(branch)}恢复。`,
  "worktree-gone": ({ branch }) => `这次尝试的目录和${ofBranch(branch)}已不存在，无法继续。请新建一次尝试。`,
  "worktree-not-restored": ({ branch, reason }) => `这次尝试的目录已不存在，且无法从${ofBranch(branch)}重新创建：${reason}`,
  "outside-worktrees": ({ directory }) => `“${directory}”不是 Skein 的工作树，因此保持不变。`,
  "path-not-found": ({ path }) => `没有目录“${path}”。请检查拼写，或先将仓库克隆到那里。`,
  "path-not-absolute": ({ path }) => `“${path}”是相对路径。请输入以 / 或 ~ 开头的完整路径。`,
  "path-not-a-folder": ({ path }) => `“${path}”是文件。请输入 git 仓库的目录。`,
  "path-unreadable": ({ path }) => `Skein 没有读取“${path}”的权限。请授予你的用户读取权限（ls -ld 可查看所有者），或选择其他目录。`,
  "path-unusable": ({ path, reason }) => `无法使用“${path}”：${reason}`,
  "git-missing": "找不到 git。请安装后重试。",
  "repository-owned-by-another": ({ path }) =>
    `git 拒绝访问“${path}”，因为它属于另一个用户。如果你信任它，请运行：git config --global --add safe.directory "${path}"`,
  "bare-repository": ({ path }) => `“${path}”是裸仓库，没有可供工作的文件。请先克隆，再添加克隆的目录。`,
  "repository-format-unsupported": ({ path, extension }) => {
    const what = extension === undefined ? "较新的格式" : `扩展“${extension}”`;
    const hint = extension?.toLowerCase() === "refstorage" ? "（reftable 格式的分支需要 git 2.45）" : "";
    return `“${path}”使用了${what}，已安装的 git 不支持${hint}。请安装更新的 git，然后重试。`;
  },
  "not-a-repository": ({ path }) => `“${path}”不是 git 仓库。请在其中运行“git init”并提交一次，或选择其他目录。`,
  "files-unreadable": ({ directory }) => `无法列出 ${directory} 中的文件。请确认该目录仍然存在。`,
  "not-an-export": () => "此文件不是导出的尝试。请将尝试导出为 JSON：skein export <attempt> --format json",
  "export-other-version": ({ format }) => `此文件由其他版本的 Skein 写入（${format}），当前版本无法读取。请更新 Skein，或重新导出该尝试。`,
  "export-not-json": ({ reason }) => `此文件不是有效的 JSON（${reason}）。请重新导出该尝试。`,
  "export-cut-off": () => "此文件不完整，保存时可能中断。请重新导出该尝试。",
  "export-field-invalid": ({ field, issue }, format) =>
    `此文件被修改过或已损坏。${field}：${format(issue).replace(/[。.]$/, "")}。请重新导出该尝试。`,
  "export-part-too-large": ({ field, maxLength }) => `此文件中的“${field}”超出可读取的长度（${maxLength}）。`,
  "export-too-deep": ({ field }) => `此文件中的“${field}”嵌套过深，无法读取。`,
  "export-page-missing": () => "导出页面是 Web 界面的一部分，而 Web 界面尚未构建。请运行 npm start，或导出为 JSON 或 Markdown。",
  "diff-failed": ({ directory }) => `无法读取 ${directory} 中的改动。请确认该目录仍然存在。`,
  "folder-not-found": ({ directory }) => `目录 ${directory} 已不存在。请新建一次尝试以继续。`,
  "file-not-found": ({ path }) => `此目录中没有可显示的“${path}”。`,

  "config-unreadable": ({ path, reason }) => `无法读取 ${path}（${reason}）。请更正或删除该文件。`,
  "config-not-json": ({ path, reason }) => `${path} 不是有效的 JSON（${reason}）。请更正或删除该文件。`,
  "config-field-invalid": ({ path, field, issue }, format) =>
    `${path} 中的${field === "" ? "内容" : ` ${field} `}无效：${format(issue).replace(/。$/, "")}。请更正或删除该设置。`,
  "config-unusable": ({ reason }, format) => `无法使用 config.json：${format(reason)}`,
  "config-not-saved": ({ path, reason }) => `无法写入 ${path}（${reason}）。请检查磁盘及其权限。`,
  "scripts-changed": changed,
  "agent-settings-changed": changed,
  "hooks-changed": changed,
  "git-lfs-changed": changed,
  "scripts-not-trusted": "你尚未信任此项目的脚本。请在项目设置中查看，然后重试。",
  "agent-settings-not-trusted": notTrusted,
  "hooks-not-trusted": notTrusted,
  "git-lfs-not-trusted": notTrusted,
  "mcp-trust-unreadable": ({ path }) => `无法读取 ${path}，其中列出的内容均不受信任。请删除该文件，然后重新信任。`,
  "mcp-server-not-found": ({ server }) => `项目的 .mcp.json 中没有 MCP 服务器“${server}”。`,
  "mcp-server-changed": ({ server }) => `MCP 服务器“${server}”有改动。请重新查看，然后再信任。`,
  "mcp-server-invalid": ({ reason }, format) => format(reason),
  "mcp-server-not-trusted": ({ server }) => `此项目没有信任 MCP 服务器“${server}”。`,
  "mcp-server-failed": ({ notices }, format) => `${notices.map((notice) => format(notice)).join("")}它未获信任。请解决问题，然后再信任。`,
};
