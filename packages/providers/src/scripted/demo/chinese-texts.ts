import { demoFile, missingFile } from "./demo-file.ts";
import type { DemoTexts } from "./demo-texts.ts";
import { fence } from "./fence.ts";

const ran = (command: string, end: { exitCode: number } | undefined) =>
  end === undefined ? `\`${command}\` 没有运行。` : `**运行** \`${command}\`（退出码 ${end.exitCode}）。`;

export const chineseTexts: DemoTexts = {
  reasoning: ({ quote }) =>
    `对方写的是“${quote}”。我只是一段脚本，没法像语言模型那样去思考它。我能做的是：在真实的文件上把每个工具用一遍，并如实报告结果。先列步骤，动手之前先看清楚。`,
  intro: ({ quote }) =>
    `你好！你写的是：\n\n> ${quote}\n\n先说实话：我是 **Skein 内置的演示**，是一段脚本，不是语言模型，所以我不会替你解决这个任务。但下面发生的都是真的：每张卡片都是一个在你的工作副本里真正运行的工具，输出也是真实的。我会看看目录、读一个文件、搜索、写一个小文件（\`${demoFile}\`）、修改它让你看到差异，再运行两条命令，其中一条会故意失败。\n\n这是我的计划：`,
  todo: ["看看仓库里有什么", "阅读和搜索", `写入并修改 ${demoFile}`, "运行两条命令"],
  look: "同时看两处：顶层目录，以及其中的所有文件。它们不会改动任何东西，所以并行执行。",
  read: ({ fileRead, fileCount }) => `找到 ${fileCount} 个文件。从 \`${fileRead}\` 读起比较合适。`,
  nothingToRead: "这里还没有可读的文本文件，直接继续。",
  search: "有没有人留下待办的记号？",
  write: `读得差不多了。勾掉已完成的步骤，然后写一个自己的小文件 \`${demoFile}\`。`,
  fileContent: ({ quote, fileRead, topCount, fileCount }) =>
    [
      "# Skein 演示",
      "",
      "由 Skein 内置的演示写入，随时可以删除。",
      "",
      `- 你的消息：${quote}`,
      `- 顶层目录条目数：${topCount}`,
      `- 找到的文件数：${fileCount}`,
      `- 读过的文件：${fileRead ?? "没有，当时没有可读的文件"}`,
    ].join("\n"),
  draftLine: "状态：草稿",
  finalLine: "状态：已由演示修改",
  edit: "改动其中一行，修改看起来是这样的：",
  status: "git 怎么看？",
  failing: "再来一条会失败的命令，让你也见识一下：",
  finish: "最后一步也完成了。",
  answer: (facts) =>
    [
      "## 我做了什么",
      "",
      `- **查看**：顶层目录有 ${facts.topCount} 个条目，一共 ${facts.fileCount} 个文件。`,
      facts.fileRead === undefined
        ? "- **阅读**：没有可读的文本文件。"
        : facts.readOk
          ? `- **阅读** \`${facts.fileRead}\`（显示了 ${facts.lineCount} 行${facts.firstLine === undefined ? "" : `，开头是“${facts.firstLine}”`}）。`
          : `- 想**阅读** \`${facts.fileRead}\`，但没有成功。`,
      facts.grepOk ? `- **搜索** \`TODO\` 和 \`FIXME\`：${facts.matchCount} 处匹配。` : "- 想**搜索** `TODO` 和 `FIXME`，但没有成功。",
      facts.wrote
        ? `- **写入** \`${demoFile}\`${facts.edited ? "，并**修改**了其中一行" : "；之后的修改没有成功"}。`
        : `- **没有**写入 \`${demoFile}\`：工具失败了，或者你拒绝了。`,
      `- ${ran("git status --short", facts.status)}`,
      `- ${ran(`ls ${missingFile}`, facts.failing)}${facts.failing === undefined ? "" : "它本来就该失败。"}`,
      ...(facts.status === undefined ? [] : ["", "## git 的输出", "", fence(facts.status.output || "（空）")]),
      "",
      "## 接下来",
      "",
      "打开这次尝试的差异可以看到这个文件；回复我，我会接着往下做；或者用真正的智能体再开一次尝试。",
    ].join("\n"),
  setback: (toolName, reason) => `工具 \`${toolName}\` 没有成功（${reason}）。记下了，继续。\n\n`,
  noTools: ({ quote }) => `我是 Skein 内置的演示，这次没有拿到任何工具，所以没有可展示的内容。你写的是：“${quote}”。`,
  again: {
    intro: ({ quote }) =>
      `欢迎回来。你写的是：\n\n> ${quote}\n\n我还是那个演示，不过我记得这段对话：它随你的消息一起发了过来。所以这一轮很短。先看看我的文件还在不在：`,
    add: "还在。把你的消息作为一条笔记加进去：",
    note: ({ quote }) => `- 后来你写道：${quote}`,
    missing: "它不见了，或者我不能读取，所以没有可以追加的地方。",
    check: "再看看工作副本的状态：",
    answer: (facts) =>
      [
        "## 第二轮",
        "",
        facts.edited ? `我把你的消息加进了 \`${demoFile}\`。` : `我没有改动 \`${demoFile}\`。`,
        ran("git status --short && git diff --stat", facts.status),
        ...(facts.status === undefined ? [] : ["", fence(facts.status.output || "（空）")]),
        "",
        "每条消息都会在同一个工作副本里继续同一段对话。真正的智能体也是这样，只是能说的多得多。",
      ].join("\n"),
  },
};
