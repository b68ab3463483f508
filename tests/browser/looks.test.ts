import { AxeBuilder } from "@axe-core/playwright";
import type { CreateTask, Task } from "@skein/contracts";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { openEventStream } from "../support/event-stream.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";

let server: RealServer;
let taskId = "";
let projectId = "";

const views: [string, BrowserContextOptions][] = [
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
  ["narrow", { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
  ["chinese", { locale: "zh-CN" }],
];

const board: Omit<CreateTask, "projectId">[] = [
  { title: "Show me around" },
  { title: "Retry uploads that fail half way", priority: "high", tags: ["uploads", "bug"] },
  { title: "修复登录页面的错误提示", priority: "medium", tags: ["i18n"] },
  { title: "A title that is so long that no card can hold it in one line, and which therefore has to be wrapped", priority: "low" },
  { title: "Cache tiles on disk", status: "in-progress", tags: ["performance"] },
  { title: "Move the map to WebGL", status: "in-review", priority: "urgent" },
  { title: "Update the changelog", status: "done" },
];

beforeAll(async () => {
  server = await startRealServer({ keep: true });
  projectId = (await server.api.createProject(newRepository("atlas"))).id;
  const tasks = [];
  for (const task of board) tasks.push(await server.api.request<Task>("POST", "/api/tasks", { projectId, ...task }));
  taskId = tasks[0]?.id ?? "";
  await server.api.createAttempt(taskId);
  const stream = await openEventStream(server.api);
  await server.api.send(taskId, "Show me what you can do");
  await stream.waitFor(({ event }) => event.type === "execution:completed");
  stream.close();
});

afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`)).toEqual([]);
}

describe.each(views)("%s", (name, options) => {
  test("the board and the task page fit, are accessible, and are kept as pictures", async () => {
    const { page, complaints } = await visit(server, options);
    await page.goto(`${server.url}/p/${projectId}`);
    await page.locator("main").getByText("Show me around").first().waitFor();
    await keepScreenshot(page, `board-${name}`);
    await expectAccessible(page);

    await page.goto(`${server.url}/t/${taskId}`);
    await page.getByText("What I did").waitFor();
    const edit = page.locator('article[data-tool="edit"]').first();
    await edit.scrollIntoViewIfNeeded();
    await edit.getByRole("button").first().click();
    await keepScreenshot(page, `task-${name}`);
    await expectAccessible(page);
    const overflow = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    expect(overflow).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
  });
});
