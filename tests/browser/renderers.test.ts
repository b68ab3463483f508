import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Approval } from "@skein/contracts";
import { stdioMcpServer } from "@skein/testkit/mcp-servers";
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { expectAccessible } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { startConfiguredServer } from "../support/configured-server.ts";
import { openEventStream } from "../support/event-stream.ts";
import { isLong } from "../support/long.ts";
import type { RealServer } from "../support/real-server.ts";
import { git, newFolder, newRepository } from "../support/repository.ts";
import { bash, newScriptedModel } from "../support/scripts.ts";

const wait = { timeout: 60_000, interval: 200 };
const recording = fileURLToPath(new URL("../../packages/agents/src/claude-code/__fixtures__/2.1.325-perm-plan.ndjson", import.meta.url));

/** Replays what Claude Code sent when it proposed a plan, except for one line: here the plan is approved. */
function newPlanningClaudeCode(): string[] {
  const lines = readFileSync(recording, "utf8").trim().split("\n");
  const approved = lines.map((line) =>
    line.includes('"tool_result"')
      ? line.replace(/<tool_use_error>.*?<\/tool_use_error>/, "Approved.").replace('"is_error":true', '"is_error":false')
      : line,
  );
  const program = join(newFolder("program"), "claude.mjs");
  writeFileSync(
    program,
    `if (process.argv.includes("--version")) { console.log("2.1.325 (Claude Code)"); process.exit(0); }
let heard = "";
process.stdin.on("data", (chunk) => {
  const before = heard.includes('"type":"user"');
  heard += chunk;
  if (!before && heard.includes('"type":"user"')) process.stdout.write(${JSON.stringify(`${approved.join("\n")}\n`)});
});
process.stdin.on("end", () => process.exit(0));
`,
  );
  return [process.execPath, program];
}
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const source = 'export function greet(name: string): string {\n  // 问候\n  return "Hello, " + name;\n}\n';

let server: RealServer;
let taskId = "";
let plannedTaskId = "";

/** A conversation in which every kind of tool ran: those of the native agent, one of an MCP server, and a plan of Claude Code. */
beforeAll(async () => {
  const site = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end("<title>A page</title><h1>Release notes</h1><p>Version 2 is out.</p>");
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const { port } = site.address() as AddressInfo;
  server = await startConfiguredServer(
    {
      native: { allowPrivateAddresses: true },
      mcpServers: { demo: stdioMcpServer() },
      agents: { "claude-code": { command: newPlanningClaudeCode() } },
    },
    { ANTHROPIC_API_KEY: "none" },
    { keep: true },
  );
  const repository = newRepository("atlas");
  writeFileSync(join(repository, "greet.ts"), source);
  writeFileSync(join(repository, "dot.png"), Buffer.from(dot, "base64"));
  git(repository, "add", "--all");
  git(repository, "commit", "--quiet", "--message", "sources");
  const project = await server.api.createProject(repository);
  const items = (done: number) =>
    ["Read the code", "Change the greeting", "检查结果"].map((text, i) => ({
      text,
      status: i < done ? "completed" : i === done ? "in-progress" : "pending",
    }));
  const question = {
    header: "Greeting",
    question: "Which greeting?",
    options: [{ label: "Hello", description: "As it is" }, { label: "Hi" }],
  };
  const script = newScriptedModel([
    {
      text: "I look at everything.",
      toolCalls: [
        { name: "todo", arguments: { items: items(0) } },
        { name: "read", arguments: { path: "greet.ts" } },
        { name: "grep", arguments: { pattern: "Hello" } },
        { name: "list", arguments: {} },
        { name: "read", arguments: { path: "dot.png" } },
        { name: "web_fetch", arguments: { url: `http://127.0.0.1:${port}/notes` } },
        { name: "mcp__demo__echo", arguments: { text: '{"answer":{"value":42,"tags":["a","b"]}}' } },
        { name: "ask", arguments: { questions: [question] } },
      ],
    },
    {
      text: "I change it.",
      toolCalls: [
        { name: "edit", arguments: { path: "greet.ts", oldText: "Hello, ", newText: "Hi, " } },
        bash("printf '\\033[32mok\\033[0m\\n'; echo careful >&2; exit 3"),
        { name: "todo", arguments: { items: items(2) } },
        { name: "task", arguments: { description: "Look around", prompt: "Look around and report." } },
      ],
    },
    { text: "All done." },
  ]);
  const task = await server.api.createTask(project.id, "Every renderer");
  taskId = task.id;
  await server.api.createAttempt(taskId, { model: script });
  const stream = await openEventStream(server.api);
  const ended = (id: string | undefined) => stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === id);
  const { executionId } = await server.api.send(taskId, "Change the greeting");
  const approval = await vi.waitFor(async () => {
    const [found] = await server.api.request<Approval[]>("GET", "/api/approvals?status=pending");
    if (found === undefined) throw new Error("no question yet");
    return found;
  }, wait);
  await server.api.request("POST", `/api/approvals/${approval.id}`, { decision: "allow", answers: { "Which greeting?": "Hi" } });
  await ended(executionId);

  const planned = await server.api.createTask(project.id, "A plan");
  plannedTaskId = planned.id;
  await server.api.createAttempt(plannedTaskId, { agent: "claude-code", model: undefined, permissionMode: "ask", isolation: "in-place" });
  await ended((await server.api.send(plannedTaskId, "Plan it")).executionId);
  stream.close();
  return () => site.close();
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

interface Shown {
  tool: string;
  /** Which of the cards of that tool. */
  nth?: number;
  check(card: Locator): Promise<void>;
}

const texts =
  (...expected: string[]) =>
  async (card: Locator) => {
    for (const text of expected) await card.getByText(text, { exact: false }).first().waitFor();
  };

/** One for each kind of details, and a text that shows that it was rendered as that kind. */
const renderers: Record<string, Shown> = {
  todoList: {
    tool: "todo",
    nth: 1,
    async check(card) {
      expect(await card.getByRole("listitem").count()).toBe(3);
      await texts("Change the greeting", "检查结果")(card);
      expect(await card.locator(".text-good svg").count()).toBeGreaterThan(0);
    },
  },
  fileContent: {
    tool: "read",
    async check(card) {
      await texts("greet.ts", "export function greet")(card);
      await card.locator(".tok-keyword").first().waitFor();
    },
  },
  searchResults: { tool: "grep", check: texts("greet.ts", 'return "Hello') },
  fileList: { tool: "list", check: texts("dot.png", "greet.ts") },
  image: { tool: "read", nth: 1, check: async (card) => card.getByRole("img", { name: "dot.png" }).waitFor() },
  webResult: { tool: "web_fetch", check: texts("Release notes", "Version 2 is out.") },
  json: {
    tool: "mcp__demo__echo",
    async check(card) {
      await texts("answer", "42")(card);
      expect(await card.locator("button[aria-expanded]").count()).toBeGreaterThan(2);
    },
  },
  question: { tool: "ask", check: texts("Which greeting?", "As it is", "Hi") },
  diff: {
    tool: "edit",
    async check(card) {
      await texts("greet.ts")(card);
      expect(await card.locator("table tr").count()).toBeGreaterThan(3);
      await texts("Hi, ")(card);
    },
  },
  commandOutput: {
    tool: "bash",
    async check(card) {
      await card.locator(".ansi-2", { hasText: "ok" }).waitFor();
      await texts("careful", "3")(card);
    },
  },
  subagent: { tool: "task", check: texts("Look around") },
};

async function openCard(page: Page, { tool, nth = 0 }: Shown): Promise<Locator> {
  const card = page.locator(`article[data-tool="${tool}"]`).nth(nth);
  await card.scrollIntoViewIfNeeded();
  const head = card.getByRole("button").first();
  if ((await head.getAttribute("aria-expanded")) !== "true") await head.click();
  return card;
}

/** Small tools that follow each other are drawn as one line until it is opened. */
async function openGroups(page: Page): Promise<void> {
  for (;;) {
    const group = page.locator('[data-group-size] > button[aria-expanded="false"]').first();
    if ((await group.count()) === 0) return;
    await group.click();
  }
}

const looks: [name: string, options: BrowserContextOptions][] = [
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
  ["chinese", { locale: "zh-CN" }],
];

describe.each(isLong ? looks : looks.slice(0, 1))("%s", (look, options) => {
  test("[U5] every renderer is opened and shows what its tool did", async () => {
    const { page, complaints } = await visit(server, { path: `/t/${taskId}`, viewport: { width: 1100, height: 1000 }, ...options });
    await page.getByText("All done.").last().waitFor();
    await openGroups(page);
    for (const [kind, shown] of Object.entries(renderers)) {
      const card = await openCard(page, shown);
      await shown.check(card);
      await card.scrollIntoViewIfNeeded();
      await keepScreenshot(page, `renderer-${kind}-${look}`);
    }
    await expectAccessible(page);
    await page.goto(`${server.url}/t/${plannedTaskId}`);
    const plan = await openCard(page, { tool: "ExitPlanMode", check: async () => {} });
    await plan.getByRole("listitem").first().waitFor();
    await keepScreenshot(page, `renderer-plan-${look}`);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });
});

test("[T8] summaries are shown in the user's language, formatted from data", async () => {
  const { page } = await visit(server, { path: `/t/${taskId}`, viewport: { width: 1100, height: 1000 }, locale: "zh-CN" });
  await page.getByText("All done.").last().waitFor();
  await openGroups(page);
  const summaries = {
    todo: "已更新待办列表（已完成 0/3）",
    read: "已读取 greet.ts",
    list: "已列出文件",
    mcp__demo__echo: "已调用 demo: echo",
    ask: "已提问：Which greeting?",
    edit: "已更新 greet.ts",
    bash: "已运行 printf",
    task: "已运行子智能体：Look around",
  };
  for (const [tool, summary] of Object.entries(summaries)) {
    const head = page.locator(`article[data-tool="${tool}"]`).first().getByRole("button").first();
    await head.getByText(summary).waitFor();
  }
});
