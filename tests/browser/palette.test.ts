import type { Task } from "@skein/contracts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { openEventStream } from "../support/event-stream.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";
import { bash, newScriptedModel } from "../support/scripts.ts";

let server: RealServer;
let task: Task;

beforeAll(async () => {
  server = await startRealServer({ keep: true });
  const project = await server.api.createProject(newRepository("atlas"));
  await server.api.createProject(newRepository("harbour"));
  await server.api.createTask(project.id, "Repair the lighthouse");
  task = await server.api.createTask(project.id, "Talk about lamps");
  const model = newScriptedModel([
    { text: "请修复灯塔的灯光问题", toolCalls: [bash("echo 'the zeppelin has landed <b>x</b>'")] },
    { text: "The keeper of the lamps sleeps." },
  ]);
  await server.api.createAttempt(task.id, { model });
  const stream = await openEventStream(server.api);
  await server.api.send(task.id, "What about the keeper?");
  await stream.waitFor(({ event }) => event.type === "execution:completed");
  stream.close();
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

const options = (page: Page) => page.getByRole("option");
const open = async (page: Page) => {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").waitFor();
};

test("by keyboard alone: commands, tasks, messages, Chinese, tool output and files, with matches highlighted", async () => {
  const { page, complaints } = await visit(server);
  await page.getByRole("heading", { name: "Board" }).waitFor();
  await open(page);
  await keepScreenshot(page, "palette-empty");
  await expectAccessible(page);

  await page.keyboard.type("lighth");
  await expect
    .poll(() => page.getByRole("group", { name: "Tasks" }).getByRole("option").allInnerTexts())
    .toEqual(["Repair the lighthouse"]);
  expect(await page.locator("mark").allInnerTexts()).toEqual(["lighth"]);

  await page.getByRole("combobox").fill("keeper");
  await expect.poll(() => page.getByRole("group", { name: "Messages" }).getByRole("option").count()).toBe(2);
  await keepScreenshot(page, "palette-results");
  await expectAccessible(page);

  await page.getByRole("combobox").fill("灯塔");
  await options(page).getByText("请修复灯塔的灯光问题").waitFor();
  await page.getByRole("combobox").fill("zeppelin");
  await page.getByRole("group", { name: "Tool output" }).getByText("<b>x</b>").first().waitFor();
  await page.getByRole("combobox").fill("hello.js");
  await page.getByRole("group", { name: "Files" }).getByText("hello.js").waitFor();
  await page.getByRole("combobox").fill("no such thing anywhere");
  await page.getByText("No results.").waitFor();

  // a message is opened at its place in the conversation
  await page.getByRole("combobox").fill("sleeps");
  await options(page).getByText("sleeps").waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(new RegExp(`/t/${task.id}\\?attempt=.*#`));
  await page.getByText("The keeper of the lamps sleeps.").waitFor();

  // a command
  await open(page);
  await page.keyboard.type("theme dark");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
  await open(page);
  await page.keyboard.type("harbour");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /Switch project: harbour/ }).waitFor();
  await open(page);
  await page.keyboard.type("new task");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "New task" }).waitFor();
  expect(complaints).toEqual([]);
});

test("keys that are typed while it opens are not lost, and go nowhere else", async () => {
  const { page } = await visit(server);
  await page.route("**/command-palette*.js", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue().catch(() => {});
  });
  await page.goto(`${server.url}/t/${task.id}`);
  await page.getByText("The keeper of the lamps sleeps.").waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("lighx");
  await page.keyboard.press("Backspace");
  await page.getByRole("combobox").waitFor();
  await page.keyboard.type("th");
  await options(page).getByText("Repair the lighthouse").waitFor();
  expect(await page.getByRole("combobox").inputValue()).toBe("lighth");
  const field = page.getByRole("textbox", { name: "Message", exact: true, includeHidden: true });
  expect(await field.inputValue()).toBe("");
  expect(new URL(page.url()).pathname).toBe(`/t/${task.id}`);
});

test("an answer that comes late never replaces a newer one", async () => {
  const { page } = await visit(server);
  await page.getByRole("heading", { name: "Board" }).waitFor();
  await page.route("**/api/search?q=lamps*", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 800));
    await route.continue().catch(() => {});
  });
  await open(page);
  await page.keyboard.type("lamps");
  await page.waitForRequest(/q=lamps/);
  await page.getByRole("combobox").fill("lighthouse");
  await options(page).getByText("Repair the lighthouse").waitFor();
  await page.waitForTimeout(1000);
  expect(await options(page).getByText("Talk about lamps").count()).toBe(0);
});

test("narrow, dark and Chinese", async () => {
  const narrow = await visit(server, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    locale: "zh-CN",
    colorScheme: "dark",
  });
  await narrow.page.getByRole("heading", { name: "看板" }).waitFor();
  await narrow.page.getByRole("button", { name: "打开菜单" }).click();
  await keepScreenshot(narrow.page, "sidebar-narrow");
  await narrow.page.getByRole("button", { name: "搜索", exact: true }).click();
  await narrow.page.getByRole("combobox").fill("keeper");
  await options(narrow.page).first().waitFor();
  await expect.poll(() => narrow.page.getByRole("group", { name: "消息" }).getByRole("option").count()).toBe(2);
  await keepScreenshot(narrow.page, "palette-narrow");
  await expectAccessible(narrow.page);
});

test.each(["light", "dark"] as const)("%s: menus and dialogs are accessible while they are open", async (colorScheme) => {
  const { page, complaints } = await visit(server, { path: `/t/${task.id}`, colorScheme });
  await page.getByText("The keeper of the lamps sleeps.").waitFor();
  for (const name of [/^Status:/, /^Model:/, "Preferences"]) {
    await page.getByRole("button", { name }).click();
    await page.getByRole("menu").waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("menu").count()).toBe(0);
  }
  const openers: [name: string, open: () => Promise<void>][] = [
    ["shortcuts", () => page.keyboard.press("?")],
    ["new-attempt", () => page.getByRole("button", { name: "New attempt" }).click()],
    ["palette", () => page.keyboard.press("Control+k")],
  ];
  for (const [name, openIt] of openers) {
    await openIt();
    await page.getByRole("dialog").waitFor();
    await keepScreenshot(page, `dialog-${name}-${colorScheme}`);
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  }
  expect(complaints).toEqual([]);
});
