import type { CreateTask, Task } from "@skein/contracts";
import type { BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, followLink, keepScreenshot, visit } from "../support/browser.ts";
import { openEventStream } from "../support/event-stream.ts";
import { isLong } from "../support/long.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";

let server: RealServer;
let taskId = "";
let projectId = "";

interface View {
  name: string;
  options: BrowserContextOptions;
  updated: string;
  /** In `npm test`; the others run in `npm run test:long`, and differ from these only in colour, width or language. */
  isSampled: boolean;
}

/** Light and dark, wide and narrow, English and Chinese. */
const views: View[] = (["light", "dark"] as const).flatMap((colorScheme) =>
  [false, true].flatMap((narrow) =>
    ["en-US", "zh-CN"].map((locale) => ({
      name: [colorScheme, narrow ? "narrow" : "wide", locale === "en-US" ? "en" : "zh"].join("-"),
      options: { colorScheme, locale, ...(narrow ? { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } : {}) },
      updated: locale === "en-US" ? "Updated" : "已更新",
      isSampled: narrow ? colorScheme === "dark" && locale === "zh-CN" : locale === "en-US",
    })),
  ),
);

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
  await server.api.createAttempt(taskId); // something to compare with
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

/** Every view, and a text that shows that it has loaded. */
const pages: [name: string, path: () => string, shown: string][] = [
  ["changes", () => `/t/${taskId}?view=changes`, '[role="tabpanel"] button'],
  ["context", () => `/t/${taskId}?view=context`, '[role="tabpanel"] article'],
  ["files", () => `/t/${taskId}?view=files`, '[role="tabpanel"] button'],
  ["terminal", () => `/t/${taskId}?view=terminal`, '[role="tabpanel"] button'],
  ["timeline", () => `/t/${taskId}?view=timeline`, '[role="tabpanel"] button'],
  ["compare", () => `/t/${taskId}/compare`, "main label"],
  ["inbox", () => "/inbox", "main h1"],
  ["usage", () => "/usage", "main h1"],
  ["settings", () => "/settings/agents", "main nav"],
];

test("fonts are served by Skein, and come from nowhere else", async () => {
  const { page, complaints, foreignRequests } = await visit(server, { path: `/t/${taskId}?view=changes` });
  await page.getByText("What I did").waitFor();
  const loaded = () =>
    page.evaluate<string[]>(
      `[...document.fonts].filter((font) => font.status === "loaded").map((font) => font.family.replaceAll('"', ""))`,
    );
  await expect.poll(loaded).toEqual(["Inter Variable", "JetBrains Mono Variable"]);
  expect([complaints, foreignRequests]).toEqual([[], []]);
});

describe.each(views)("$name", ({ name, options, updated, isSampled }) => {
  test.runIf(isLong || isSampled)("the board and the task page fit and are accessible", async () => {
    const { page, complaints } = await visit(server, { ...options, path: `/p/${projectId}` });
    await page.locator("main").getByText("Show me around").first().waitFor();
    await keepScreenshot(page, `board-${name}`);
    await expectAccessible(page);

    await followLink(page, `/t/${taskId}`);
    await page.getByText("What I did").waitFor();
    const edit = page.locator('article[data-tool="edit"]').first();
    await edit.scrollIntoViewIfNeeded();
    expect(await edit.innerText()).toContain(`${updated} skein-demo.md`);
    await edit.getByRole("button").first().click();
    await keepScreenshot(page, `task-${name}`);
    await expectAccessible(page);
    await expectFits(page);
    expect(complaints).toEqual([]);
  });

  test.runIf(isLong || (isSampled && name !== "dark-wide-en"))("so do all other views", async () => {
    const { page, complaints } = await visit(server, { path: `/t/${taskId}`, ...options });
    await page.getByText("What I did").waitFor();
    for (const [view, path, shown] of pages) {
      await followLink(page, path());
      await page.locator(shown).first().waitFor();
      await keepScreenshot(page, `view-${view}-${name}`);
      await expectAccessible(page);
      await expectFits(page);
    }
    expect(complaints).toEqual([]);
  });
});
