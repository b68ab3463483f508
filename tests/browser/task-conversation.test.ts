import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startModelServer } from "@skein/testkit/model-servers";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { openEventStream } from "../support/event-stream.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { newFolder, newRepository } from "../support/repository.ts";
import { bash, bashUntilGo, newScriptedModel, type ScriptStep } from "../support/scripts.ts";

const read = (path: string) => ({ name: "read", arguments: { path } });
const grep = (pattern: string) => ({ name: "grep", arguments: { pattern } });

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

/** A task whose attempt has answered every message. */
async function newConversation(title: string, turns: { message: string; steps: ScriptStep[] }[]): Promise<string> {
  const task = await server.api.createTask(projectId, title);
  const model = newScriptedModel(turns.flatMap(({ steps }) => steps));
  await server.api.createAttempt(task.id, { model });
  const stream = await openEventStream(server.api);
  for (const { message } of turns) {
    const { executionId } = await server.api.send(task.id, message);
    await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
  }
  stream.close();
  return task.id;
}

const conversation = (page: Page) => page.getByRole("region", { name: "Conversation" });

describe("reading a conversation", () => {
  test("[T2] small reads are one line that shows what failed; every merge mode shows every tool", async () => {
    const taskId = await newConversation("Look around", [
      {
        message: "Look around",
        steps: [
          { text: "I look first.", toolCalls: [read("README.md"), read("hello.js"), read("missing.txt"), grep("Hello")] },
          { text: "Now a command.", toolCalls: [bash("printf 'a\\n\\033[31mred\\033[0m\\n'; exit 3")] },
          { text: "That is all." },
        ],
      },
    ]);
    const { page, complaints } = await visit(server, { path: `/t/${taskId}` });
    await page.getByText("That is all.").waitFor();
    const group = page.locator("[data-group-size]");
    expect(await group.getAttribute("data-group-size")).toBe("4");
    expect(await group.getByText("1 failed").count()).toBe(1);
    expect(await page.locator('article[data-tool="read"]').count()).toBe(0);
    await keepScreenshot(page, "task-conversation-group");
    await expectAccessible(page);

    await group.getByRole("button").first().focus();
    await page.keyboard.press("Enter");
    await page.locator('article[data-tool="read"][data-state="failed"]').waitFor();
    expect(await page.locator('article[data-tool="read"]').count()).toBe(3);

    const choose = async (name: string) => {
      await page.getByRole("button", { name: "More about the conversation" }).click();
      await page.getByRole("menuitemradio", { name }).click();
    };
    await choose("Show separately");
    await page.locator('article[data-tool="grep"][data-state="requested"]').waitFor();
    expect(await page.locator('article[data-tool="read"][data-state="requested"]').count()).toBe(3);
    await page.reload();
    await page.locator('article[data-tool="bash"][data-state="requested"]').waitFor();
    await keepScreenshot(page, "task-conversation-unmerged");
    await choose("Merge when done");
    await page.locator('article[data-tool="bash"][data-state="failed"]').waitFor();

    // jump to the errors by key, from the end up
    await choose("Merge live");
    await conversation(page).focus();
    await page.keyboard.press("e");
    await page.locator('[data-current] article[data-tool="bash"]').waitFor();
    await page.keyboard.press("e");
    await page.locator('[data-current] article[data-tool="read"][data-state="failed"]').waitFor();
    await page.keyboard.press("k");
    await page.locator('[data-current] article[data-role="user"]').waitFor();
    expect(complaints).toEqual([]);
  });

  test("a chunk of the page that cannot be fetched for a while is retried; wide content scrolls, also on a narrow screen", async () => {
    const wide = `| ${"heading | ".repeat(8)}\n| ${"--- | ".repeat(8)}\n| ${"word | ".repeat(8)}`;
    const text = `This is **bold**.\n\n${wide}\n\n\`\`\`\n${"long ".repeat(40)}\n\`\`\`\n\n- [x] done`;
    const taskId = await newConversation("Parts", [{ message: "Write", steps: [{ text }] }]);
    const { page } = await visit(server, { path: "/icon.svg", viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    let refused = 0;
    await page.route("**/markdown-block*.js", (route) => (refused++ < 2 ? route.abort() : route.continue()));
    await page.goto(`${server.url}/t/${taskId}`);
    await page.getByText("This is **bold**.").waitFor();
    await page.locator("strong").getByText("bold").waitFor();
    expect(refused).toBeGreaterThan(2);
    await keepScreenshot(page, "task-conversation-wide");
    await expectAccessible(page);
    await expectFits(page);
  });

  test("finds in messages that are not loaded, and opens a link to one of them", async () => {
    const steps = Array.from({ length: 45 }, (_, index) => ({
      text: `Answer ${index + 1}${index === 4 ? " with a needle in it" : ""}`,
      ...(index < 44 ? { toolCalls: [bash("true"), bash(":")] } : {}),
    }));
    const taskId = await newConversation("Many answers", [{ message: "Answer often", steps }]);
    const { page, complaints } = await visit(server, { path: `/t/${taskId}` });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByText("Answer 45").waitFor();
    expect(await page.getByText("needle").count()).toBe(0);

    await page.keyboard.press("Control+f");
    await page.keyboard.type("NEEDLE");
    await page.getByText("1 of 1").waitFor();
    const hit = page.locator("[data-current] article").filter({ hasText: "needle" });
    await hit.waitFor();
    await keepScreenshot(page, "task-conversation-find");
    await expectAccessible(page);
    const box = await hit.boundingBox();
    expect(box?.y).toBeGreaterThan(80);
    expect(box?.y).toBeLessThan(600);

    // its link opens the same place in a fresh page
    await hit.hover();
    await hit.getByRole("button", { name: "Copy link" }).click();
    const link = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(link).toMatch(/\/t\/tsk_\w+\?attempt=att_\w+#\w+/);
    const second = await page.context().newPage();
    await second.goto(link);
    await second.locator("[data-current] article").filter({ hasText: "needle" }).waitFor();
    await second.getByText("Answer 4", { exact: true }).waitFor();
    await second.getByRole("button", { name: "Go to the end" }).click();
    await second.getByText("Answer 45").waitFor();
    await second.close();

    // Escape closes it; Enter and Shift+Enter move through the matches
    await page.getByRole("textbox", { name: "Find in the conversation" }).fill("Answer 4");
    await page.getByText("7 of 7").waitFor();
    await page.locator("[data-current] article").filter({ hasText: "Answer 45" }).waitFor();
    await page.getByRole("textbox", { name: "Find in the conversation" }).press("Enter");
    await page
      .locator("[data-current] article")
      .filter({ hasText: /^Answer 4$/ })
      .waitFor();
    await page.keyboard.press("Shift+Enter");
    await page.locator("[data-current] article").filter({ hasText: "Answer 45" }).waitFor();
    await page.keyboard.press("Escape");
    expect(await page.getByRole("search").count()).toBe(0);

    // the whole conversation as Markdown
    await page.getByRole("button", { name: "More about the conversation" }).click();
    await page.getByRole("menuitem", { name: "Copy the conversation as Markdown" }).click();
    await expect.poll(() => page.evaluate<string>("navigator.clipboard.readText()")).toContain("Answer 5 with a needle in it");
    expect(complaints).toEqual([]);
  });

  test("[R10] a summary that was undone offers no Undo after a reload", async () => {
    const provider = await startModelServer({ api: "openai-chat", script: () => ({ text: `Counted. ${"word ".repeat(900)}` }) });
    const summarizer = await startModelServer({ api: "openai-chat", script: () => ({ text: "They counted." }) });
    for (const { close } of [provider, summarizer]) onTestFinished(close);
    const home = newFolder("home");
    const local = { baseUrl: provider.url, apiKey: provider.apiKey, contextWindow: 10_000, models: ["small"] };
    const cheap = { baseUrl: summarizer.url, apiKey: summarizer.apiKey };
    const native = { summaryModel: "openai-chat/cheap/tiny" };
    writeFileSync(join(home, "config.json"), JSON.stringify({ native, providers: { endpoints: { local, cheap } } }));
    const other = await startRealServer({ home });
    const { id: taskId } = await other.api.createTask((await other.api.createProject(newRepository())).id);
    await other.api.createAttempt(taskId, { model: "openai-chat/local/small" });
    const stream = await openEventStream(other.api);
    const compressed = async () => (await other.api.conversation(taskId)).messages.some(({ messageType }) => messageType === "summary");
    for (let turns = 0; turns < 12 && !(await compressed()); turns++) {
      const { executionId } = await other.api.send(taskId, `Count to ${turns}`);
      await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
    }
    stream.close();
    const { page } = await visit(other, { path: `/t/${taskId}` });
    await page.getByText(/Summary of \d+ earlier messages/).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone: the agent gets").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Undo" }).count()).toBe(0);
    // what decides whether it can be undone
    const known = page.waitForResponse((response) => response.url().endsWith("/compression"));
    await page.reload();
    await page.getByText(/Summary of \d+ earlier messages/).waitFor();
    await known;
    expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
  });
});

describe("a conversation in progress", () => {
  test("[Q4] a stopped tool shows that it may have run, also to screen readers", async () => {
    const task = await server.api.createTask(projectId, "Stopped");
    await server.api.createAttempt(task.id, { model: newScriptedModel([{ toolCalls: [bash("sleep 60")] }]) });
    const { page, complaints } = await visit(server, { path: `/t/${task.id}` });
    await server.api.send(task.id, "Sleep");
    await page.locator('article[data-tool="bash"][data-state="running"]').waitFor();
    await server.api.stop(task.id);
    const card = page.locator('article[data-tool="bash"][data-state="interrupted"]');
    const line = card.getByRole("button", { expanded: false });
    await line.waitFor();
    const note = card.getByText("The tool may have run");
    expect(await note.isVisible()).toBe(false);
    expect(await line.getAttribute("aria-describedby")).toBe(await note.getAttribute("id"));
    await line.click();
    await note.waitFor();
    await keepScreenshot(page, "task-conversation-interrupted");
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

  test("reads become a group while they run; a user who scrolled up stays there, and is notified of new messages", async () => {
    const task = await server.api.createTask(projectId, "Live");
    const lines = Array.from({ length: 40 }, (_, index) => `Line ${index} of a long answer.`).join("\n\n");
    const model = newScriptedModel([{ text: lines }]);
    const attempt = await server.api.createAttempt(task.id, { model });
    const stream = await openEventStream(server.api);
    const first = await server.api.send(task.id, "Tell me much");
    await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === first.executionId);
    const slow = [read("README.md"), read("hello.js"), read("README.md"), bashUntilGo, read("hello.js")];
    await server.api.request("PATCH", `/api/attempts/${attempt.id}`, {
      model: newScriptedModel([...slow.map((call) => ({ toolCalls: [call] })), { text: "It is over." }]),
    });
    const { page, complaints } = await visit(server, { path: `/t/${task.id}` });
    await page.getByText("Line 39 of a long answer.").waitFor();
    await server.api.send(task.id, "Read slowly");
    await page.locator("[data-group-size='3']").waitFor();

    // while scrolled up, nothing moves when more arrives below
    await page.locator('article[data-tool="bash"][data-state="running"]').waitFor();
    await conversation(page).evaluate((element) => element.scrollTo({ top: 200 }));
    const line = page.getByText("Line 9 of a long answer.");
    const before = (await line.boundingBox())?.y ?? 0;
    writeFileSync(join(attempt.directory, "go"), "");
    await page.getByRole("button", { name: "New messages" }).waitFor();
    await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId !== first.executionId);
    expect(Math.abs(((await line.boundingBox())?.y ?? 0) - before)).toBeLessThan(2);
    await page.getByRole("button", { name: "New messages" }).click();
    await page.getByText("It is over.").waitFor();
    stream.close();
    expect(complaints).toEqual([]);
  });
});
