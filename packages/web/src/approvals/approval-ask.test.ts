import { toolActionSchema } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import type { ApprovalAsk } from "../i18n/approval-ask.ts";
import { formatApprovalAsk } from "../i18n/en-approval-ask.ts";
import { formatApprovalAskZhCN } from "../i18n/zh-cn-approval-ask.ts";
import { toApprovalAsk } from "./approval-ask.ts";
import { toApprovalChange } from "./approval-change.ts";

type Asked = Parameters<typeof toApprovalAsk>[0];

function ask(asked: Asked): [string, string] {
  const data = toApprovalAsk(asked, toApprovalChange(asked), "/w/att_1");
  return [formatApprovalAsk(data), formatApprovalAskZhCN(data)];
}

const files = (...kinds: string[]) => kinds.map((kind, index) => ({ path: `/w/att_1/${index}.ts`, kind, diff: "x" }));

describe("what an approval asks", () => {
  it.each<[string, Asked, string, string]>([
    ["a command", { toolName: "Bash", input: { command: "npm test" } }, "Run npm test?", "要运行 npm test 吗？"],
    ["a command of Codex", { toolName: "shell", input: { command: ["ls", "-a"] } }, "Run ls -a?", "要运行 ls -a 吗？"],
    [
      "a new file",
      { toolName: "Write", input: { file_path: "/w/att_1/src/a.ts", content: "x" }, overwrites: false },
      "Create src/a.ts?",
      "要创建 src/a.ts 吗？",
    ],
    [
      "a file that is there",
      { toolName: "write", input: { path: "src/a.ts", content: "x" }, overwrites: true },
      "Overwrite src/a.ts?",
      "要覆盖 src/a.ts 吗？",
    ],
    ["a file that may be there", { toolName: "write", input: { path: "a.ts", content: "x" } }, "Write a.ts?", "要写入 a.ts 吗？"],
    ["an edit", { toolName: "edit", input: { path: "a.ts", oldText: "x", newText: "y" } }, "Edit a.ts?", "要修改 a.ts 吗？"],
    [
      "several files",
      { toolName: "apply_patch", input: { changes: files("add", "update", "delete") } },
      "Edit 3 files?",
      "要修改 3 个文件吗？",
    ],
    ["new files", { toolName: "apply_patch", input: { changes: files("add", "add") } }, "Create 2 files?", "要创建 2 个文件吗？"],
    ["a deletion", { toolName: "apply_patch", input: { changes: files("delete") } }, "Delete 0.ts?", "要删除 0.ts 吗？"],
    [
      "a page",
      { toolName: "WebFetch", input: { url: "https://example.com/a?b=c", prompt: "x" } },
      "Fetch example.com?",
      "要访问 example.com 吗？",
    ],
    [
      "an address that looks like another",
      { toolName: "WebFetch", input: { url: "https://github.com@evil.test/" } },
      "Fetch evil.test?",
      "要访问 evil.test 吗？",
    ],
    ["a search", { toolName: "WebSearch", input: { query: "cats" } }, "Search the web for cats?", "要联网搜索 cats 吗？"],
    ["a tool of an MCP server", { toolName: "mcp__db__query", input: {} }, "Use db: query?", "要使用 db: query 吗？"],
    ["a title that an agent made up", { toolName: "other", input: { title: "Harmless look" } }, "Use other?", "要使用 other 吗？"],
    ["an unknown tool", { toolName: "Frobnicate", input: { x: 1 } }, "Use Frobnicate?", "要使用 Frobnicate 吗？"],
    ["nothing to go by", { toolName: "Bash", input: {} }, "Run a command?", "要运行一条命令吗？"],
  ])("[E10, T8] %s", (_name, asked, english, chinese) => expect(ask(asked)).toEqual([english, chinese]));

  it("[T8] every action is a question in both languages", () => {
    const actions: ApprovalAsk["action"][] = [...toolActionSchema.options, "create", "overwrite"];
    for (const action of actions) {
      for (const given of [{}, { subject: "X" }, { subject: "X", count: 3 }]) {
        if (action === "ask" && "subject" in given) continue;
        expect(formatApprovalAsk({ action, ...given })).toMatch(/^[A-Z].*\?$/);
        expect(formatApprovalAskZhCN({ action, ...given }).replace("X", "")).toMatch(/^[^a-z]+？$/i);
      }
    }
  });
});
