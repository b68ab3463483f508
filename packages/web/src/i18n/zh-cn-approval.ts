import type { ApprovalText } from "./en-approval.ts";
import { createPlural } from "./plural.ts";
import { formatApprovalAskZhCN } from "./zh-cn-approval-ask.ts";

const plural = createPlural("zh-CN");

export const approvalZhCN: ApprovalText = {
  approval: {
    ask: formatApprovalAskZhCN,
    tool: "工具",
    allow: "允许",
    always: (what) => `在此项目中始终允许：${what}`,
    deny: "拒绝",
    reason: "原因，会告知智能体（可选）",
    reasonPlaceholder: "告诉智能体应该怎么做",
    tampered: {
      "answer-refused": "审批遭到篡改：某个正在运行的智能体的进程试图代你答复，已被拒绝。除非你清楚原因，请拒绝此请求或停止该智能体。",
      "ran-unanswered":
        "审批遭到篡改：尚无人在 Skein 中答复，智能体就已使用了该工具。请停止智能体并检查它做了什么；点击“拒绝”只会关闭此请求。",
    },
    hidden: (count, which) => plural(count, { other: `包含 # 个不可见字符（${which}），已标出。` }),
    blankLines: (count) => plural(count, { other: "# 个空行" }),
    cutCharacters: (characters) => `… 还有 ${characters} 个字符：显示全部`,
    cutRows: (count) => plural(count, { other: "… 还有 # 行：显示全部" }),
    noFinalNewline: "文件末尾没有换行符",
    cutFiles: (count) => plural(count, { other: "… 还有 # 个文件：显示全部" }),
    change: {
      added: "新文件",
      deleted: "删除",
      movedTo: "移动到",
      unknown: "智能体只提供了文件名，没有提供要修改的内容。",
    },
    showAll: "显示全部",
    mustRead: "部分内容已折叠。请先显示全部并阅读，再决定是否允许。",
    alreadyAnswered: "已有人答复。",
    questionTitle: (count) => plural(count, { other: "智能体有 # 个问题" }),
    chooseMany: "可多选",
    formTitle: "智能体请求输入",
    pageTitle: "智能体请求你打开一个网页",
    pageNote: (host) => `该网页位于 ${host}。Skein 不会自动打开它，也看不到你在其中输入的内容。`,
    openPage: "打开网页",
    pageOpened: "已打开",
    agree: "同意",
    optional: "可选",
    yes: "是",
    no: "否",
    notANumber: (range) => `请输入数字${range}。`,
    notAnInteger: (range) => `请输入整数${range}。`,
    wrongCount: (range) => `所选数量不符合要求${range}。`,
    range: (minimum, maximum) =>
      minimum !== null && maximum !== null
        ? `（${minimum} 到 ${maximum}）`
        : minimum !== null
          ? `（不小于 ${minimum}）`
          : maximum !== null
            ? `（不大于 ${maximum}）`
            : "",
    other: "其他",
    otherLabel: (question) => `自己的回答：${question}`,
    otherPlaceholder: "写下自己的回答",
    answer: "回答",
    skip: "跳过",
  },
  grants: {
    command: (command) => `仅限“${command}”这一条命令，执行时以相关文件届时的内容为准`,
    readOnlyCommand: (program) => `在工作树内以只读选项运行“${program}”`,
    edits: (tool) => `${tool} 修改工作树内的文件（受保护的文件除外）`,
    origin: (tool, origin) => `${tool} 访问 ${origin} 的网页`,
    tool: (tool) => `${tool} 的所有调用`,
    anyArguments: (program) => `以任意参数运行“${program} …”`,
    retired: (what) => `${what}：由旧版本允许，现已失效，将重新询问。`,
  },
};
