import type { ImportFolderState, ImportProblemCode, ImportRun, ImportState } from "@skein/contracts";
import type { ImportText } from "./en-import.ts";

const states: Record<ImportState, string> = {
  new: "未导入",
  changed: "有新内容",
  imported: "已导入",
  continued: "已在 Skein 中继续",
  "in-skein": "由 Skein 启动",
  deleted: "已在 Skein 中删除",
};
const folders: Record<Exclude<ImportFolderState, "repository">, string> = {
  missing: "目录已不存在：会话可以查看，但无法在原处继续。",
  "no-repository": "目录不在 git 仓库中：会话可以查看，但无法在原处继续。",
};
const problems: Record<ImportProblemCode, string> = {
  "unreadable-file": "无法读取",
  "unreadable-line": "不是 JSON，已跳过",
  "long-line": "有一行过长，已跳过",
  "large-file": "文件过大，已跳过",
  "unknown-format": "不是已知格式的会话，已跳过",
  "busy-database": "复制时发生了变化。请关闭正在使用它的程序，然后重新查找。",
  "unreadable-database": "不是已知版本的数据库，已跳过",
  "not-saved": "保存失败",
};
const runs: Record<ImportRun["state"], string> = {
  waiting: "等待中",
  running: "正在导入",
  done: "完成",
  stopped: "已停止",
  failed: "失败",
};

export const importZhCN: ImportText = {
  title: "导入会话",
  what: "本机上其他程序的会话会成为任务，可以搜索、查看和继续。它们的文件只会被读取，不会被修改。",
  looking: "正在查找会话…",
  again: "重新查找",
  nothing: "本机上没有找到 Claude Code、Codex、Gemini CLI、opencode 或 vibe-kanban 的会话。",
  found: (count) => `${count} 个会话`,
  fresh: (count) => `${count} 个可导入`,
  choose: (title) => `导入“${title}”`,
  chooseAll: (name) => `${name} 的全部新会话`,
  chosen: (count, size) => `${count} 个会话，${size}`,
  start: "导入",
  stop: "停止",
  open: "打开",
  states,
  folders,
  noFolder: "目录未知",
  at: (place, what) => (place === undefined ? `：${what}` : `（${place}）：${what}`),
  problem: (code) => problems[code],
  line: (line, count) => (count > 1 ? `第 ${line} 行及另外 ${count - 1} 行` : `第 ${line} 行`),
  problems: (count) => `${count} 个问题`,
  runs: "导入记录",
  runState: (state) => runs[state],
  progress: (done, total) => `${done} / ${total}`,
  result: ({ added, updated, unchanged, messages }) =>
    added + updated === 0 && unchanged > 0
      ? unchanged === 1
        ? "此前已导入"
        : `${unchanged} 个会话没有新内容`
      : `导入 ${added} 个，更新 ${updated} 个，${messages} 条消息`,
  file: "导出的尝试",
  fileWhat: "Skein 在本机或其他机器上导出的 JSON 文件会成为一个任务，并保留其对话。文件改动不在其中，它们保存在 git 里。",
  fileNeedsProject: "请先添加项目：导出的尝试会成为该项目的任务。",
  project: "项目",
  chooseFile: "选择文件…",
  sending: "正在检查文件…",
  more: (count) => `另有 ${count} 个`,
  as: "导入的任务归入",
  asChoices: { done: "已完成", archived: "归档" },
  watch: "持续导入新会话",
  watchEffect: "Skein 运行期间会监视这些程序的目录，并导入新增的会话。",
};
