import type { ApprovalAsk } from "./approval-ask.ts";

type Ask = (subject: string | undefined, count: number) => string;

/** “要运行 npm test 吗？”；对象未知时用 `unknown`。 */
const ask =
  (verb: string, unknown: string): Ask =>
  (subject) =>
    subject === undefined ? `要${unknown}吗？` : `要${verb} ${subject} 吗？`;
const askFiles =
  (verb: string): Ask =>
  (subject, count) =>
    count > 1 ? `要${verb} ${count} 个文件吗？` : ask(verb, `${verb}一个文件`)(subject, count);
const fixed =
  (question: string): Ask =>
  () =>
    question;

const questions: Readonly<Record<ApprovalAsk["action"], Ask>> = {
  create: askFiles("创建"),
  overwrite: askFiles("覆盖"),
  call: ask("使用", "使用一个工具"),
  titled: ask("使用", "使用一个工具"),
  text: ask("使用", "使用一个工具"),
  run: ask("运行", "运行一条命令"),
  start: ask("在后台运行", "在后台运行一条命令"),
  "read-output": (subject) => (subject === undefined ? "要读取后台命令的输出吗？" : `要读取 ${subject} 的输出吗？`),
  stop: ask("停止", "停止一条后台命令"),
  "list-commands": fixed("要列出后台命令吗？"),
  read: askFiles("读取"),
  write: askFiles("写入"),
  update: askFiles("修改"),
  delete: askFiles("删除"),
  move: askFiles("移动"),
  list: ask("列出", "列出文件"),
  "find-files": (subject) => (subject === undefined ? "要查找文件吗？" : `要查找匹配 ${subject} 的文件吗？`),
  search: ask("搜索", "搜索文件内容"),
  "search-files": ask("搜索", "搜索文件内容"),
  "search-web": ask("联网搜索", "联网搜索"),
  fetch: ask("访问", "访问一个网页"),
  remember: ask("记住", "记住一条信息"),
  ask: (subject) => subject ?? "要回答一个问题吗？",
  "run-subagent": ask("运行子智能体", "运行一个子智能体"),
  "start-subagent": ask("启动子智能体", "启动一个子智能体"),
  "use-skill": ask("使用技能", "使用一项技能"),
  "update-todos": fixed("要更新待办列表吗？"),
  "read-todos": fixed("要读取待办列表吗？"),
  "add-todo": ask("添加待办", "添加一条待办"),
  "update-todo": ask("更新待办", "更新一条待办"),
  "start-todo": ask("开始待办", "开始一条待办"),
  "complete-todo": ask("完成待办", "完成一条待办"),
  "reopen-todo": ask("重新打开待办", "重新打开一条待办"),
  "cancel-todo": ask("取消待办", "取消一条待办"),
  "delete-todo": ask("删除待办", "删除一条待办"),
  "propose-plan": fixed("要按此计划执行吗？"),
  "set-up": fixed("要运行准备脚本吗？"),
  check: fixed("要运行检查吗？"),
  think: fixed("要让智能体思考吗？"),
  "switch-mode": fixed("要切换模式吗？"),
};

/** “要运行 npm test 吗？”“要修改 3 个文件吗？” */
export function formatApprovalAskZhCN({ action, subject, count = 1 }: ApprovalAsk): string {
  return questions[action](subject, count);
}
