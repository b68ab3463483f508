import type { PermissionGrant } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { taskEn, taskZhCN } from "../i18n/task-text.ts";
import { toGrantText, toRetiredGrantText } from "./grant-text.ts";

describe("what “always” allows", () => {
  it.each<[PermissionGrant, string, string]>([
    [
      { type: "command", tool: "bash", command: "npm test" },
      "exactly “npm test”, even after the files it runs have changed",
      "仅限“npm test”这一条命令，执行时以相关文件届时的内容为准",
    ],
    [
      { type: "read-only-command", tool: "bash", program: "git log" },
      "“git log” with read-only options, inside the worktree",
      "在工作树内以只读选项运行“git log”",
    ],
    [
      { type: "edits", tool: "write" },
      "file changes by write inside the worktree, except protected files",
      "write 修改工作树内的文件（受保护的文件除外）",
    ],
    [
      { type: "edits", tool: "Edit" },
      "file changes by Edit, Write, MultiEdit, NotebookEdit inside the worktree, except protected files",
      "Edit, Write, MultiEdit, NotebookEdit 修改工作树内的文件（受保护的文件除外）",
    ],
    [
      { type: "origin", tool: "web_fetch", origin: "https://example.com" },
      "web_fetch for pages of https://example.com",
      "web_fetch 访问 https://example.com 的网页",
    ],
    [{ type: "tool", tool: "mcp__docs__find" }, "every call of mcp__docs__find", "mcp__docs__find 的所有调用"],
  ])("[X17] %j", (grant, english, chinese) => {
    expect(toGrantText(grant, taskEn.grants)).toBe(english);
    expect(toGrantText(grant, taskZhCN.grants)).toBe(chinese);
  });

  it("[X6] names the characters that cannot be seen, and shows line ends", () => {
    expect(toGrantText({ type: "command", tool: "bash", command: "git\u200b status\nid" }, taskEn.grants)).toBe(
      "exactly “git[U+200B] status ↵ id”, even after the files it runs have changed",
    );
  });

  it("[X17] a grant of an earlier version is marked as no longer in effect", () => {
    expect(toRetiredGrantText({ type: "read-only-command", tool: "bash", program: "npm run" }, taskEn.grants)).toBe(
      "“npm run …” with any arguments: allowed in an earlier version, no longer in effect. Skein asks again.",
    );
    expect(toRetiredGrantText({ type: "tool", tool: "web_fetch" }, taskEn.grants)).toBe(
      "every call of web_fetch: allowed in an earlier version, no longer in effect. Skein asks again.",
    );
  });
});
