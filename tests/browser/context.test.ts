import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BuiltRequest, SummaryId } from "@skein/contracts";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, followLink, keepScreenshot, type Visitor, visit } from "../support/browser.ts";
import { openEventStream } from "../support/event-stream.ts";
import { isLong } from "../support/long.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";
import { bash, bashUntilGo, newScriptedModel } from "../support/scripts.ts";
import { call, result, said, seed, user } from "../support/seed-histories.ts";

let server: RealServer;
let projectId = "";

beforeAll(async () => {
  server = await startRealServer({ keep: true });
  projectId = (await server.api.createProject(newRepository("atlas"))).id;
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

const wide = { viewport: { width: 1500, height: 900 } };

async function visitContext(taskId: string, options: BrowserContextOptions = {}): Promise<Visitor> {
  return visit(server, { ...wide, ...options, path: `/t/${taskId}?view=context` });
}

const showRequest = (page: Page) => page.getByText("Next request", { exact: true }).click();

const rows = (page: Page) => page.getByRole("list", { name: "Messages that requests are built from" });

describe("the messages of an attempt", () => {
  test("[C1, U6] appear while the agent works, with role, tokens and model, and stay when it has ended", async () => {
    const task = await server.api.createTask(projectId, "Look around");
    const model = newScriptedModel([
      { text: "I look.", toolCalls: [bash("echo hello")] },
      { text: "And wait.", toolCalls: [bashUntilGo] },
      { text: "It is done." },
    ]);
    const attempt = await server.api.createAttempt(task.id, { model });
    const { page, complaints } = await visitContext(task.id);
    await page.getByText("No messages yet.").waitFor();
    await keepScreenshot(page, "context-empty");
    await expectAccessible(page);

    const stream = await openEventStream(server.api);
    await server.api.send(task.id, "Look around.");
    await stream.waitFor(({ event }) => event.type === "message:added" && event.message.content === "And wait.");
    const list = rows(page);
    await list.locator('article[data-role="assistant"]', { hasText: "And wait." }).waitFor();
    expect(await list.locator("article").evaluateAll((all) => all.map((one) => one.getAttribute("data-role")))).toEqual([
      "user",
      "assistant",
      "assistant",
    ]);
    expect(await list.getByText("Live", { exact: true }).count()).toBe(3);
    // a tool that still runs is not reported as a repair
    expect(await list.locator("[data-change]").count()).toBe(0);
    await keepScreenshot(page, "context-live");

    writeFileSync(join(attempt.directory, "go"), "");
    await stream.waitFor(({ event }) => event.type === "execution:completed");
    await list.locator("article", { hasText: "It is done." }).waitFor();
    await expect.poll(() => list.getByText("Live", { exact: true }).count()).toBe(0);
    // an answer's size is reported, a user's is estimated and marked
    const last = list.locator("article").last();
    expect(await last.innerText()).not.toContain("≈");
    expect(await list.locator('article[data-role="user"]').first().innerText()).toContain("≈");
    expect(await last.innerText()).toContain("script.json");

    // by keyboard: to a row, open it, to the one before
    await last.getByRole("button").first().focus();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await list.getByText("And wait.", { exact: true }).waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

  test("[C1] a summary, what it replaces, what was pruned and what repair changes are shown; a damaged history hides nothing", async () => {
    const long = "line of output\n".repeat(400);
    const { damaged } = await seed(
      { server, projectId },
      {
        damaged: [
          user("Old question"),
          said("Old answer"),
          user("Read them."),
          call("a"),
          result("a", long),
          result("nobody"),
          said(" "),
          call("b"),
          user("And now?"),
        ],
      },
      async (_name, { attempt, messages }) => {
        const [first, second] = messages;
        const pruned = messages[4];
        if (first === undefined || second === undefined || pruned === undefined) throw new Error("no messages");
        const summary = {
          id: "sum_1" as SummaryId,
          attemptId: attempt.id,
          messageIds: [first.id, second.id],
          startMessageId: first.id,
          endMessageId: second.id,
          summary: "## Goal\nThey asked an old question.",
          originalTokenCount: 1234,
          summaryTokenCount: 56,
          model: "anthropic/claude-haiku-5-5",
          status: "active" as const,
          createdAt: 2500,
        };
        return [{ expectedSummaryId: null, summary, pruning: { results: [{ messageId: pruned.id, toolCallId: "a" }] } }];
      },
    );
    if (damaged === undefined) throw new Error("not seeded");
    const { page, complaints } = await visitContext(damaged.taskId);
    const list = rows(page);
    const summary = list.getByRole("article", { name: "Summary of 2 messages" });
    await summary.getByText("1,234 → 56 tokens").waitFor();
    expect(await list.getByText("Old question").count()).toBe(0);
    const changes = async () => list.locator("[data-change]").evaluateAll((all) => all.map((one) => one.getAttribute("data-change")));
    expect((await changes()).toSorted()).toEqual(["added-result", "dropped-invalid", "dropped-result", "pruned"]);
    await keepScreenshot(page, "context-repairs");
    await expectAccessible(page);

    await summary.getByRole("button", { name: "Text of the summary" }).click();
    await summary.getByText("They asked an old question.").waitFor();
    await summary.getByRole("button", { name: "Show the messages that it replaces" }).click();
    await list.locator("article", { hasText: "Old question" }).first().waitFor();
    expect(await list.getByText("Replaced by the summary").count()).toBe(2);

    // a long output is loaded whole when it is opened
    const reading = list.locator("article", { hasText: "read" }).filter({ hasText: "Output left out" });
    await reading.getByRole("button").first().click();
    await expect.poll(async () => (await reading.locator("pre").last().innerText()).split("line of output").length).toBe(401);
    await keepScreenshot(page, "context-opened");
    expect(complaints).toEqual([]);
  });

  test("[C1] ten thousand messages: the newest are there at once, earlier ones on request, and little is drawn", async () => {
    const turns = Array.from({ length: 2500 }, (_, i) => [
      user(`Question ${i}`),
      call(`c${i}`),
      result(`c${i}`, "x".repeat(300)),
      said(`Answer ${i}`),
    ]).flat();
    const { large } = await seed({ server, projectId }, { large: turns });
    const { page, complaints } = await visit(server, { viewport: { width: 1500, height: 900 } });
    const loaded: number[] = [];
    page.on("response", async (response) => {
      if (response.url().includes("/history?")) loaded.push(JSON.parse(await response.text()).messages.length);
    });
    const list = rows(page);
    const sum = () => loaded.reduce((all, one) => all + one, 0);
    await page.goto(`${server.url}/t/${large?.taskId}?view=context`);
    await list.getByText("Answer 2499").waitFor();
    await page.getByText("10,000 messages").waitFor();
    await page.getByText("at least ≈").waitFor();
    expect(sum()).toBeLessThanOrEqual(600);
    expect(await list.locator("article").count()).toBeLessThan(80);
    await expectAccessible(page);

    // up by keyboard: earlier rows are added above, and the row with the focus stays
    await list.locator("article").last().getByRole("button").first().focus();
    await page.keyboard.press("Home");
    await expect.poll(sum).toBeGreaterThan(200);
    await expect.poll(() => page.evaluate("document.activeElement.closest('[data-index]') !== null")).toBe(true);

    // the view is restored as it was left
    const focusedRow = "document.activeElement.closest('article').getAttribute('data-message-id')";
    const first = list.locator(`article[data-message-id="${await page.evaluate(focusedRow)}"]`);
    await first.getByRole("button").first().click();
    await first.locator("pre").waitFor();
    const seen = sum();
    const place = (await first.boundingBox())?.y ?? 0;
    await page.getByRole("tab", { name: "Files" }).click();
    await list.waitFor({ state: "detached" });
    await page.getByRole("tab", { name: "Context" }).click();
    await first.locator("pre").waitFor();
    await expect.poll(async () => Math.abs(((await first.boundingBox())?.y ?? 0) - place)).toBeLessThan(3);
    expect(sum()).toBeLessThanOrEqual(seen + 600);

    // load everything, in few requests; then go to the other end and back
    const before = loaded.length;
    await page.getByRole("button", { name: "Go to the newest" }).click();
    await list.getByText("Answer 2499").waitFor();
    const scroller = list.locator("xpath=../..");
    await scroller.evaluate((element) => element.scrollTo(0, 0));
    await page.getByRole("button", { name: "Load all" }).click();
    await page.getByRole("button", { name: "Load all" }).waitFor({ state: "detached", timeout: 60_000 });
    expect(loaded.length - before).toBeLessThanOrEqual(16);
    expect(await page.getByText("at least ≈").count()).toBe(0);
    // rows that are added above do not move the visible ones
    await expect
      .poll(async () => {
        await scroller.evaluate((element) => element.scrollTo(0, 0));
        return list.getByText("Question 0", { exact: true }).isVisible();
      })
      .toBe(true);
    expect(await list.locator("article").count()).toBeLessThan(80);
    expect(complaints).toEqual([]);
  });
});

describe("the next request", () => {
  let lookedAt = "";
  beforeAll(async () => {
    const task = await server.api.createTask(projectId, "修复登录页面的错误提示");
    lookedAt = task.id;
    const model = newScriptedModel([
      { reasoning: "先看一下代码。", text: "我先看看登录页面。", toolCalls: [bash("ls -la"), bash("echo 错误 >&2; exit 1")] },
      { text: "## 完成\n\n错误提示已经修复。" },
    ]);
    await server.api.createAttempt(lookedAt, { model });
    const stream = await openEventStream(server.api);
    const { executionId } = await server.api.send(lookedAt, "登录失败时，提示信息要说明原因。");
    await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
    stream.close();
  });

  test("[C2] steps, shares, system prompt, tools and body, in the chosen format; copied and downloaded", async () => {
    const task = await server.api.createTask(projectId, "Say hello");
    const attempt = await server.api.createAttempt(task.id, { model: newScriptedModel([{ text: "Hello." }, { text: "Again." }]) });
    const stream = await openEventStream(server.api);
    const say = async (message: string) => {
      const { executionId } = await server.api.send(task.id, message);
      await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
    };
    await say("Hi");
    const { page, complaints } = await visitContext(task.id, { permissions: ["clipboard-read", "clipboard-write"] });
    await showRequest(page);
    await page.locator('[data-request="scripted"]').waitFor();
    await page.getByText("It ends with a placeholder for your next message.").waitFor();
    expect(await page.locator("[data-step]").allInnerTexts()).toEqual([
      "After compression: 3 messages",
      "After filtering: 3 messages",
      "After orphaned tool fix: 3 messages",
      "After system prompts: 4 messages",
      "Validation passed: 4 messages",
    ]);
    await page.getByRole("button", { name: /^Format/ }).click();
    await page.getByRole("menuitemradio", { name: /^Anthropic/ }).click();
    const view = page.locator('[data-request="anthropic"]');
    await view.waitFor();
    expect(await view.locator("[data-part]").evaluateAll((all) => all.map((one) => one.getAttribute("data-part")))).toEqual([
      "system",
      "tools",
      "user",
      "assistant",
    ]);
    await keepScreenshot(page, "context-request");
    await expectAccessible(page);

    const path = `/api/attempts/${attempt.id}/request?provider=anthropic`;
    const { body, tools } = await server.api.request<BuiltRequest>("GET", path);
    await view.getByRole("button", { name: "Copy the request body" }).click();
    await expect.poll(async () => JSON.parse((await page.evaluate("navigator.clipboard.readText()")) as string)).toEqual(body);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      view.getByRole("button", { name: "Download the request body" }).click(),
    ]);
    expect(JSON.parse(readFileSync(await download.path(), "utf8"))).toEqual(body);

    await view.getByRole("button", { name: "System prompt" }).click();
    await view.getByText("You are Skein's coding agent").waitFor();
    await view.getByRole("button", { name: `${tools.length} tools` }).click();
    await view.getByText("Runs a shell command in the working folder.").waitFor();
    await view.getByRole("button", { name: "Request body", exact: true }).click();
    await view.getByText("max_tokens").waitFor();
    await expectAccessible(page);

    // another tab and back: the same format, and the same parts are open
    await page.getByRole("tab", { name: "Files" }).click();
    await page.locator("[data-request]").waitFor({ state: "detached" });
    await page.getByRole("tab", { name: "Context" }).click();
    await view.getByText("max_tokens").waitFor();

    // the view is remembered, also after a reload
    await page.reload();
    await page.locator("[data-request]").waitFor();
    expect(await page.locator("[data-forecast]").count()).toBe(0);
    await say("Once more");
    const compression = { triggerMessages: 4, keepRecentTurns: 1 };
    await server.api.request("PATCH", "/api/settings/general", { compression });
    await page.getByRole("button", { name: "Build again" }).click();
    const forecast = page.locator('[data-forecast="summarize"]');
    await forecast.getByText("A summary will replace the oldest 4 messages").waitFor();
    await keepScreenshot(page, "context-forecast");
    await expectAccessible(page);
    await server.api.request("PATCH", "/api/settings/general", { compression: { triggerMessages: null, keepRecentTurns: 2 } });
    expect(complaints).toEqual([]);
  });

  test("[C2] another agent shows its transcript, and a request that cannot be built shows why", async () => {
    const task = await server.api.createTask(projectId, "With Codex");
    await server.api.createAttempt(task.id, { agent: "codex", model: undefined });
    const { page } = await visitContext(task.id);
    await showRequest(page);
    await page.getByText("Codex builds its requests itself").waitFor();
    const missing = await server.api.createTask(projectId, "No script");
    const model = newScriptedModel([{ text: "Never." }]);
    await server.api.createAttempt(missing.id, { model });
    rmSync(model.slice("scripted/".length));
    await followLink(page, `/t/${missing.id}?view=context`);
    await page.getByRole("alert").getByText("The next request cannot be built. The script of").waitFor();
    await page.getByRole("button", { name: "Try again" }).waitFor();
    await expectAccessible(page);
  });

  test("[C1] the tabs of the side pane fit next to the conversation; where they do not, keys and an overflow mark lead to the last one", async () => {
    for (const [width, fits] of [
      [1920, true],
      [1280, false],
      [360, false],
    ] as const) {
      const { page } = await visit(server, { path: `/t/${lookedAt}?view=context`, viewport: { width, height: 800 } });
      const bar = page.getByRole("tablist", { name: "What the attempt did" });
      const last = bar.getByRole("tab").last();
      await last.waitFor();
      const isInView = async () => {
        const [tab, around] = [await last.boundingBox(), await bar.boundingBox()];
        return tab !== null && around !== null && tab.x + tab.width <= around.x + around.width + 1;
      };
      await expect.poll(isInView).toBe(fits);
      await expect.poll(() => page.locator('[data-scroll-hint="end"]').count()).toBe(fits ? 0 : 1);
      await bar.getByRole("tab", { selected: true }).focus();
      const after = (await bar.getByRole("tab").count()) - 2;
      for (let i = 0; i < after; i++) await page.keyboard.press("ArrowRight");
      await expect.poll(() => last.getAttribute("aria-selected")).toBe("true");
      await expect.poll(isInView).toBe(true);
      await expect.poll(() => page.locator('[data-scroll-hint="start"]').count()).toBe(fits ? 0 : 1);
    }
  });

  const looks: [string, BrowserContextOptions, string, string][] = [
    ["dark", { colorScheme: "dark" as const, ...wide }, "Next request", "Messages"],
    ["narrow", { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }, "Next request", "Messages"],
    ["chinese", { locale: "zh-CN", ...wide }, "下一次请求", "消息"],
  ];
  test.each(isLong ? looks : looks.slice(1, 2))("[C1, C2] %s: both views fit and are accessible", async (name, options, next, messages) => {
    const { page, complaints } = await visitContext(lookedAt, options);
    await page.getByRole("radio", { name: messages, exact: true }).waitFor({ state: "attached" });
    await page.locator("[data-message-id]").first().waitFor();
    await page.locator("article[data-role=assistant] > button").last().click();
    await keepScreenshot(page, `context-messages-${name}`);
    await expectAccessible(page);
    await expectFits(page);
    await page.getByText(next, { exact: true }).click();
    await page.locator("[data-request]").waitFor();
    await keepScreenshot(page, `context-request-${name}`);
    await expectAccessible(page);
    await expectFits(page);
    expect(complaints).toEqual([]);
  });
});
