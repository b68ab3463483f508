import { afterAll, expect, test } from "vitest";
import { closeBrowser, visit } from "../support/browser.ts";
import { startRealServer } from "../support/real-server.ts";
import { storeManyTasks } from "../support/store-tasks.ts";

afterAll(closeBrowser);

test("a board of ten thousand tasks first shows those near the viewport, and the rest when the user scrolls to them", async () => {
  const server = await startRealServer();
  const projectId = await storeManyTasks(server, 10_000);
  const { page, complaints } = await visit(server, { path: "/settings" });
  const lists: { size: number; isBeforeCards: boolean }[] = [];
  let isDrawn = false;
  page.on("response", async (response) => {
    if (!response.url().includes("/api/tasks?")) return;
    const list = { size: 0, isBeforeCards: !isDrawn };
    lists.push(list);
    // the page may have been left before it has arrived
    list.size = (await response.body().catch(() => "")).length;
  });
  // the server answers slowly: drawing must not wait for all of it
  await page.route(/\/api\/tasks\?.*after=/, async (route) => {
    await expect.poll(() => isDrawn).toBe(true);
    await route.continue();
  });
  await page.goto(`${server.url}/p/${projectId}`);
  const cards = page.locator("[data-task-id]");
  await cards.first().waitFor();
  isDrawn = true;
  const drawn = await cards.count();
  expect(drawn).toBeLessThan(200);
  const counts = page.locator("[data-column] header span.tabular-nums");
  await expect.poll(() => counts.allInnerTexts()).toEqual(["8000", "0", "0", "2000"]);
  const sum = (sizes: typeof lists) => sizes.reduce((bytes, { size }) => bytes + size, 0);
  expect(sum(lists.filter(({ isBeforeCards }) => isBeforeCards))).toBeLessThan(sum(lists) / 10);

  await page.keyboard.press("j");
  for (let step = 0; step < 120; step++) await page.keyboard.press("j");
  await expect.poll(() => page.evaluate("document.activeElement?.innerText")).toMatch(/^Task 150\n/);
  expect(await cards.count()).toBeGreaterThan(drawn);
  await page.getByRole("searchbox").fill("Task 9876");
  await expect.poll(() => cards.allInnerTexts()).toEqual([expect.stringMatching(/^Task 9876\n/)]);
  await page.getByRole("searchbox").fill("");
  await page.getByRole("button", { name: /Show as a list/ }).click();
  await page.getByRole("table").waitFor();
  expect(await page.locator("tbody tr").count()).toBeLessThan(300);
  expect(complaints).toEqual([]);
});
