import { type ToolSummary, toolActionSchema, toolSummarySchema } from "@skein/contracts";
import { formatToolSummary } from "@skein/engine";
import { describe, expect, it } from "vitest";
import { formatToolSummaryZhCN } from "./zh-cn-tool-summaries.ts";

const actions = toolActionSchema.options;
const states = toolSummarySchema.shape.state.options;

/** Each action in each state, with and without each of what a summary may have. */
function* listSummaries(): Generator<ToolSummary> {
  for (const action of actions) {
    for (const state of states) {
      for (const subject of [undefined, "X$&1"]) {
        for (const counts of [{}, { count: 0 }, { count: 1, total: 2 }, { count: 3 }]) {
          yield { action, state, ...counts, ...(subject === undefined ? {} : { subject }) };
        }
      }
    }
  }
}

const isShownAsItIs = ({ action, subject }: ToolSummary) => action === "text" && subject === undefined;
const summaries = [...listSummaries()].filter((summary) => !isShownAsItIs(summary));

describe("summaries", () => {
  it("[T8] every action in every state is an English sentence with its subject", () => {
    for (const summary of summaries) {
      const sentence = formatToolSummary(summary);
      expect(sentence, JSON.stringify(summary)).toMatch(/^\S+(?: \S+)*$/);
      expect(sentence).not.toMatch(/undefined|[^\w)}]$/);
    }
  });

  it("[T8] every action in every state is a Chinese sentence, without a word of English", () => {
    for (const summary of summaries) {
      const sentence = formatToolSummaryZhCN(summary);
      const words = sentence.replaceAll("X$&1", "");
      expect(words, JSON.stringify(summary)).not.toMatch(/[a-z{}]/i);
      if (summary.action !== "titled" && summary.action !== "text") expect(words, JSON.stringify(summary)).toMatch(/\p{Script=Han}/u);
      // one space between Chinese and other words, none between Chinese words
      expect(sentence, JSON.stringify(summary)).not.toMatch(
        /\p{Script=Han} \p{Script=Han}|\p{Script=Han}[X\d]|[X\d]\p{Script=Han}|^\s|\s$| {2}/u,
      );
    }
  });

  it("[T8] states that one language does not distinguish are not distinguished in the other", () => {
    const forms = (format: (summary: ToolSummary) => string) =>
      actions.map((action) => new Set(states.map((state) => format({ action, subject: "X", state }))).size);
    expect(forms(formatToolSummaryZhCN)).toEqual(forms(formatToolSummary));
  });

  it.each<[ToolSummary, string, string]>([
    [{ action: "read", subject: "a.ts", state: "completed" }, "Read a.ts", "已读取 a.ts"],
    [{ action: "read", state: "running" }, "Reading a file", "正在读取一个文件"],
    [{ action: "update", subject: "a, b", count: 2, state: "denied" }, "Updating 2 files was denied: a, b", "更新 2 个文件被拒绝：a, b"],
    [{ action: "list", state: "completed" }, "Listed files", "已列出文件"],
    [{ action: "search", subject: "x", count: 0, state: "completed" }, "Found no matches for x", "没有找到匹配：x"],
    [{ action: "find-files", subject: "*.ts", count: 1, state: "completed" }, "Found 1 file matching *.ts", "找到 1 个匹配 *.ts 的文件"],
    [{ action: "call", subject: "deploy", state: "completed" }, "Called deploy", "已调用 deploy"],
    [{ action: "call", subject: "deploy", state: "failed" }, "deploy failed", "deploy 失败"],
    [{ action: "titled", subject: "查看文件", state: "interrupted" }, "查看文件 was interrupted", "查看文件被中断"],
    [{ action: "start", subject: "npm start", state: "completed" }, "Started npm start in the background", "已在后台启动 npm start"],
    [{ action: "complete-todo", subject: "#3", state: "completed" }, "Completed todo #3", "已完成待办 #3"],
    [{ action: "use-skill", subject: "pdf", state: "running" }, "Using skill pdf", "正在使用技能 pdf"],
  ])("[T8] %j", (summary, english, chinese) => {
    expect([formatToolSummary(summary), formatToolSummaryZhCN(summary)]).toEqual([english, chinese]);
  });
});
