import type { Locator, Page } from "playwright-core";
import { afterAll, beforeEach, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { openEventStream } from "../support/event-stream.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";
import { bash, newScriptedModel } from "../support/scripts.ts";

afterAll(closeBrowser);

let server: RealServer;
beforeEach(async () => {
  server = await startRealServer();
});

/** A task in its own project whose agent asks for permission, or asks a question. */
async function ask(name: string, call: { name: string; arguments: unknown }): Promise<string> {
  const project = await server.api.createProject(newRepository(name));
  const task = await server.api.createTask(project.id, `Work in ${name}`);
  const model = newScriptedModel([{ toolCalls: [call] }, { text: `Finished in ${name}.` }]);
  await server.api.createAttempt(task.id, { model, permissionMode: "ask" });
  const stream = await openEventStream(server.api);
  await server.api.send(task.id, "Go");
  await stream.waitFor(({ event }) => event.type === "approval:requested" && event.taskId === task.id);
  stream.close();
  return task.id;
}

const cards = (page: Page) => page.locator("[data-approval-id]");
/** A card accepts answers once it has been visible for a moment, and keys once it has been selected for as long. */
const untilAnswerable = (card: Locator) => card.and(card.page().locator("[data-takes-keys]")).waitFor();
const pending = () => server.api.request<unknown[]>("GET", "/api/approvals?status=pending");

test("[E10] pending questions of all projects are in one place, are counted in the title, and are answered by keyboard", async () => {
  await ask("atlas", bash("git status --short"));
  const edited = await ask("harbour", {
    name: "edit",
    arguments: { path: "hello.js", oldText: '"Hello, " + name', newText: '"Hi, " + name' },
  });
  await ask("island", {
    name: "ask",
    arguments: { questions: [{ question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] }] },
  });
  const { page, complaints } = await visit(server);
  await page.getByRole("button", { name: "New task" }).first().waitFor();
  await expect.poll(() => page.title()).toMatch(/^\(3\) /);
  await page.keyboard.press("i");
  await expect.poll(() => cards(page).count()).toBe(3);
  await page.getByText('"Hi, " + name').waitFor();
  await keepScreenshot(page, "inbox-light");
  await expectAccessible(page);

  // kept over a reload; a question waits for the name of its task, which may arrive later
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/api/tasks/tsk_*", async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  await expect.poll(() => page.title()).toMatch(/^\(3\) /);
  expect(await page.getByText("…", { exact: true }).count()).toBe(0);
  expect(await cards(page).count()).toBe(0);
  release();
  // the first is allowed permanently, the second denied with a reason
  await expect.poll(() => cards(page).count()).toBe(3);
  await untilAnswerable(cards(page).first());
  await page.getByText("Run git status --short?").waitFor();
  await page.keyboard.press("Shift+A");
  await expect.poll(() => cards(page).count()).toBe(2);
  await page.getByText("Edit hello.js?").waitFor();
  await untilAnswerable(cards(page).first());
  await page.keyboard.press("d");
  await page.keyboard.type("Keep it formal");
  await page.keyboard.press("Enter");
  await expect.poll(() => cards(page).count()).toBe(1);
  await page.getByText("Blue").click();
  await page.getByRole("button", { name: "Answer" }).click();
  // each of them finishes, and is dismissed
  await expect.poll(() => page.locator("[data-inbox-item]").count(), { timeout: 60_000 }).toBe(3);
  await expect.poll(() => page.title()).toBe("(3) Inbox · Skein");
  for (const left of [2, 1, 0]) {
    await page.keyboard.press("e");
    await expect.poll(() => page.locator("[data-inbox-item]").count()).toBe(left);
  }
  await page.getByText("Nothing needs your attention").waitFor();
  await expect.poll(() => page.title()).toBe("Inbox · Skein");
  const { messages } = await server.api.conversation(edited);
  const card = messages.find((message) => message.messageType === "tool_execution");
  expect(card?.messageType === "tool_execution" && card.metadata.output).toContain("Keep it formal");
  expect(complaints).toEqual([]);
});

test("[E10] of two windows the first wins, and the other one shows it unobtrusively", async () => {
  await ask("atlas", bash("git status"));
  const [one, two] = [await visit(server, { path: "/inbox" }), await visit(server, { path: "/inbox", colorScheme: "dark" })];
  for (const { page } of [one, two]) await cards(page).first().waitFor();
  await untilAnswerable(cards(one.page).first());
  await one.page.keyboard.press("a");
  await two.page.getByText("Allowed from another window").waitFor();
  await keepScreenshot(two.page, "inbox-elsewhere");
  expect(await cards(two.page).count()).toBe(0);
  expect(await one.page.getByText("from another window").count()).toBe(0);
  expect(await pending()).toEqual([]);
  await expectAccessible(two.page);
});

test("[E10] narrow and Chinese, including the warning", async () => {
  const taskId = await ask("atlas", bash("rm -rf build/with-a-rather-long-name-that-has-to-wrap build/another-one"));
  const { page } = await visit(server, {
    path: "/inbox",
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    locale: "zh-CN",
  });
  await cards(page).first().getByText("无法撤销").waitFor();
  await keepScreenshot(page, "inbox-narrow");
  await expectAccessible(page);
  await expectFits(page);
  // an agent that waits outlives the server
  await server.api.stop(taskId);
});
