import type { ToolAction, ToolSummary } from "@skein/contracts";

type FormatSummary = (summary: ToolSummary) => string;

export function formatToolSummaryZhCN(summary: ToolSummary): string {
  return formats[summary.action](summary);
}

/** 动词短语在各状态下的说法；`done` 用于完成后换一个动词的情况。 */
function toSentence(state: ToolSummary["state"], what: string, done = what): string {
  switch (state) {
    case "running":
      return `正在${what}`;
    case "completed":
      return `已${done}`;
    case "failed":
      return `未能${what}`;
    default:
      return `${what}${gapAfter(what)}${endings[state]}`;
  }
}

const endings = { failed: "失败", denied: "被拒绝", interrupted: "被中断", "timed-out": "超时" } as const;

/** 汉字或全角标点后不加空格，西文后加一个。 */
function gapAfter(text: string): string {
  return /[\p{Script=Han}）：]$/u.test(text) ? "" : " ";
}

function gapBefore(text: string): string {
  return /^[\p{Script=Han}（]/u.test(text) ? "" : " ";
}

/** `{}` 处是对象，例如“读取 {}”；对象未知时用 `none`。 */
function act(what: string, none: string, done?: { what: string; none: string }): FormatSummary {
  return ({ state, subject }) => {
    if (subject === undefined) return toSentence(state, none, done?.none);
    return toSentence(state, fill(what, subject), done && fill(done.what, subject));
  };
}

function fill(template: string, subject: string): string {
  return template.replace("{}", () => subject);
}

/** “更新 a.ts”，“更新 3 个文件：a.ts, b.ts, c.ts”。 */
function actOnFiles(verb: string, doneVerb = verb): FormatSummary {
  const one = act(`${verb} {}`, `${verb}一个文件`, { what: `${doneVerb} {}`, none: `${doneVerb}一个文件` });
  return (summary) => {
    const { state, subject, count = 1 } = summary;
    if (count === 1) return one(summary);
    const files = ` ${count} 个文件`;
    const names = subject === undefined ? "" : `：${subject}`;
    return `${toSentence(state, verb + files, doneVerb + files)}${names}`;
  };
}

function fixed(sentences: Readonly<Record<ToolSummary["state"], string>>): FormatSummary {
  return ({ state }) => sentences[state];
}

/** “子智能体失败：……” */
function label(forms: Readonly<Record<"running" | "completed" | "failed", string>>, name: string, none: string): FormatSummary {
  return ({ state, subject }) => {
    if (subject === undefined) return toSentence(state, none);
    const form = state === "running" || state === "completed" || state === "failed" ? forms[state] : `${name}${endings[state]}`;
    return `${form}：${subject}`;
  };
}

function todoList(verb: string): FormatSummary {
  return ({ state, count, total = 0 }) => {
    const isCounted = count !== undefined && total > 0 && (state === "running" || state === "completed");
    return `${toSentence(state, `${verb}待办列表`)}${isCounted ? `（已完成 ${count}/${total}）` : ""}`;
  };
}

function search(found: (count: number, subject: string) => string): FormatSummary {
  const searchFor = act("搜索 {}", "搜索文件");
  return (summary) => {
    const { state, subject, count } = summary;
    if (state !== "completed" || subject === undefined || count === undefined) return searchFor(summary);
    return count === 0 ? `没有找到匹配：${subject}` : found(count, subject);
  };
}

const findFiles: FormatSummary = ({ state, subject, count }) => {
  const files = subject === undefined ? "文件" : `匹配 ${subject} 的文件`;
  if (state !== "completed" || count === undefined) return toSentence(state, `查找${files}`);
  return count === 0 ? `没有找到${files}` : `找到 ${count} 个${files}`;
};

const formats: Readonly<Record<ToolAction, FormatSummary>> = {
  call: ({ state, subject = "工具" }) => {
    if (state === "running" || state === "completed") return toSentence(state, `调用${gapBefore(subject)}${subject}`);
    return `${subject}${gapAfter(subject)}${endings[state]}`;
  },
  titled: ({ state, subject = "工具" }) => {
    return state === "running" || state === "completed" ? subject : `${subject}${gapAfter(subject)}${endings[state]}`;
  },
  text: ({ subject = "" }) => subject,
  run: (summary) => {
    const { state, subject } = summary;
    return toSentence(state === "failed" ? "completed" : state, subject === undefined ? "运行一条命令" : `运行 ${subject}`);
  },
  start: ({ state, subject }) => {
    const command = subject === undefined ? "一条命令" : ` ${subject}`;
    return toSentence(state, state === "failed" ? `运行${command}` : `在后台启动${command}`);
  },
  "read-output": act("读取 {} 的输出", "读取后台命令的输出"),
  stop: act("停止 {}", "停止一条后台命令"),
  "list-commands": act("列出后台命令", "列出后台命令"),
  read: actOnFiles("读取"),
  write: actOnFiles("写入", "创建"),
  update: actOnFiles("更新"),
  delete: actOnFiles("删除"),
  move: actOnFiles("移动"),
  list: act("列出 {}", "列出文件"),
  "find-files": findFiles,
  search: search((count, subject) => `找到 ${count} 处匹配：${subject}`),
  "search-files": search((count, subject) => `在 ${count} 个文件中找到 ${subject}`),
  "search-web": act("联网搜索 {}", "联网搜索"),
  fetch: act("获取 {}", "获取网页"),
  remember: act("记住 {}", "记住一条信息"),
  ask: label({ running: "正在提问", completed: "已提问", failed: "未能提问" }, "提问", "提问"),
  "run-subagent": label({ running: "正在运行子智能体", completed: "已运行子智能体", failed: "子智能体失败" }, "子智能体", "运行子智能体"),
  "start-subagent": label({ running: "正在启动子智能体", completed: "已启动子智能体", failed: "子智能体失败" }, "子智能体", "启动子智能体"),
  "use-skill": act("使用技能 {}", "使用技能"),
  "update-todos": todoList("更新"),
  "read-todos": todoList("读取"),
  "add-todo": label({ running: "正在添加待办", completed: "已添加待办", failed: "未能添加待办" }, "添加待办", "添加待办"),
  "update-todo": act("更新待办 {}", "更新待办"),
  "start-todo": act("开始待办 {}", "开始待办"),
  "complete-todo": act("完成待办 {}", "完成待办"),
  "reopen-todo": act("重新打开待办 {}", "重新打开待办"),
  "cancel-todo": act("取消待办 {}", "取消待办"),
  "delete-todo": act("删除待办 {}", "删除待办"),
  "propose-plan": fixed({
    running: "正在提出计划",
    completed: "计划已批准",
    failed: "未能提出计划",
    denied: "计划未获批准",
    interrupted: "提出计划被中断",
    "timed-out": "提出计划超时",
  }),
  "set-up": fixed({
    running: "正在运行准备脚本",
    completed: "已运行准备脚本",
    failed: "准备脚本失败",
    denied: "准备脚本被拒绝",
    interrupted: "准备脚本被中断",
    "timed-out": "准备脚本超时",
  }),
  check: fixed({
    running: "正在运行检查",
    completed: "检查通过",
    failed: "检查未通过",
    denied: "未运行检查",
    interrupted: "检查被中断",
    "timed-out": "检查超时",
  }),
  think: fixed({
    running: "正在思考",
    completed: "已思考",
    failed: "思考失败",
    denied: "思考被拒绝",
    interrupted: "思考被中断",
    "timed-out": "思考超时",
  }),
  "switch-mode": act("切换模式", "切换模式"),
};
