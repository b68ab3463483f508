import type { ToolSummary } from "@skein/contracts";
import { formatToolSummary } from "@skein/engine";
import { describe, expect, it } from "vitest";
import { formatToolSummaryZhCN } from "../i18n/zh-cn-tool-summaries.ts";
import { readStoredSentence } from "./stored-sentence.ts";

type State = ToolSummary["state"];

/** What earlier releases wrote, word for word, and what it says in Chinese. */
const sentences: readonly [State, string, string][] = [
  ["completed", "Updated src/a.ts", "已更新 src/a.ts"],
  ["denied", "Updating src/a.ts was denied", "更新 src/a.ts 被拒绝"],
  ["completed", "Created a.ts", "已创建 a.ts"],
  ["failed", "Could not write a.ts", "未能写入 a.ts"],
  ["running", "Writing a.ts", "正在写入 a.ts"],
  ["completed", "Deleted a.ts", "已删除 a.ts"],
  ["timed-out", "Moving b.ts timed out", "移动 b.ts 超时"],
  ["completed", "Ran echo it failed", "已运行 echo it failed"],
  ["failed", "Ran npm test", "已运行 npm test"],
  ["interrupted", "Running npm test was interrupted", "运行 npm test 被中断"],
  ["running", "Running subagent: look around", "正在运行子智能体：look around"],
  ["failed", "Subagent failed: look around", "子智能体失败：look around"],
  ["completed", "Started subagent: look", "已启动子智能体：look"],
  ["completed", "Started npm start in the background", "已在后台启动 npm start"],
  ["failed", "Could not run npm test", "未能运行 npm test"],
  ["failed", "Could not read output of job_9", "未能读取 job_9 的输出"],
  ["completed", "Stopped npm start", "已停止 npm start"],
  ["completed", "Listed background commands", "已列出后台命令"],
  ["completed", "Read a.ts", "已读取 a.ts"],
  ["completed", "Listed src", "已列出 src"],
  ["completed", "Found 2 files matching *.ts", "找到 2 个匹配 *.ts 的文件"],
  ["completed", "Found 1 match for x", "找到 1 处匹配：x"],
  ["completed", "Found a {n} b in 1 file", "在 1 个文件中找到 a {n} b"],
  ["running", "Finding files matching *.ts", "正在查找匹配 *.ts 的文件"],
  ["running", "Searching for x", "正在搜索 x"],
  ["completed", "Searched the web for x", "已联网搜索 x"],
  ["completed", "Search: x", "已搜索 x"],
  ["completed", "Fetched https://a.example", "已获取 https://a.example"],
  ["completed", "Remembered likes tea", "已记住 likes tea"],
  ["running", "Asking: Which?", "正在提问：Which?"],
  ["completed", "Updated 3 files: a, b, c", "已更新 3 个文件：a, b, c"],
  ["denied", "Updating 3 files was denied: a, b, c", "更新 3 个文件被拒绝：a, b, c"],
  ["completed", "Updated todo list (1/2 done)", "已更新待办列表（已完成 1/2）"],
  ["running", "Updating todo list (0/2 done)", "正在更新待办列表（已完成 0/2）"],
  ["failed", "Could not update todo list", "未能更新待办列表"],
  ["completed", "Read todo list (1/2 done)", "已读取待办列表（已完成 1/2）"],
  ["completed", "Updated todo #3: pending → in progress", "已开始待办 #3"],
  ["completed", "Updated todo #3: completed", "已完成待办 #3"],
  ["failed", "Could not update todo #3", "未能更新待办 #3"],
  ["completed", "Added todo: Write tests", "已添加待办：Write tests"],
  ["completed", "Plan approved", "计划已批准"],
  ["denied", "Plan was not approved", "计划未获批准"],
  ["failed", "The setup script failed", "设置脚本失败"],
  ["completed", "Ran the setup script", "已运行设置脚本"],
  ["failed", "deploy failed", "deploy 失败"],
  ["completed", "deploy completed", "已调用 deploy"],
  ["completed", "jira: create", "jira: create"],
  ["completed", "Anything else", "Anything else"],
  ["completed", "", ""],
];

describe("sentences of earlier releases", () => {
  it.each(sentences)("[T8] %s: %s", (state, sentence, chinese) => {
    expect(formatToolSummaryZhCN(readStoredSentence(sentence, state))).toBe(chinese);
  });

  it("[T8] say the same in English, but for those that read badly", () => {
    const changed = sentences.filter(([state, sentence]) => formatToolSummary(readStoredSentence(sentence, state)) !== sentence);
    expect(changed.map(([, sentence]) => sentence)).toEqual([
      "Finding files matching *.ts",
      "Search: x",
      "Updated todo #3: pending → in progress",
      "Updated todo #3: completed",
      "deploy completed",
    ]);
    expect(formatToolSummary(readStoredSentence("Listed .", "completed"))).toBe("Listed files");
    expect(formatToolSummary(readStoredSentence("Updated file", "completed"))).toBe("Updated a file");
  });

  it("[X19] a sentence of any length is read in time that grows with it and no faster", () => {
    const long = `Found ${" in 1 file ".repeat(50_000)}`;
    expect(readStoredSentence(long, "completed")).toEqual({ action: "text", subject: long, state: "completed" });
  });
});
