import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { closeBrowser, visit } from "../support/browser.ts";
import { startRealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";

afterAll(closeBrowser);

const focused = (page: Page) =>
  page.evaluate<string>(`(() => {
    const element = document.activeElement;
    return element.localName + ": " + (element.getAttribute("aria-label") ?? element.textContent).trim().split("\\n")[0].slice(0, 40);
  })()`);
const untilFocused = (page: Page, what: RegExp) => expect.poll(() => focused(page), { timeout: 15_000 }).toMatch(what);

test("by keyboard alone, a page that is opened has the focus, and the way back leads to where it was", async () => {
  const server = await startRealServer();
  const { id: projectId } = await server.api.createProject(newRepository("atlas"));
  await server.api.createTask(projectId, "First of all");
  const second = await server.api.createTask(projectId, "Then the second");
  const { page } = await visit(server);
  const { keyboard } = page;
  const announced = page.locator("p[aria-live=polite]").first();
  await page.locator(`[data-task-id="${second.id}"]`).waitFor();

  await keyboard.press("i");
  await untilFocused(page, /^h1: Inbox/);
  await keyboard.press("b");
  await untilFocused(page, /^h1: Board/);
  await keyboard.press("j");
  await untilFocused(page, /^a: First of all/);
  await keyboard.press("j");
  await untilFocused(page, /^a: Then the second/);
  await keyboard.press("Enter");
  await page.waitForURL(/\/t\/tsk_/);
  // a page with a field to write in keeps the focus there, and its title is announced
  await untilFocused(page, /^textarea/);
  await expect.poll(() => announced.textContent()).toContain("Then the second");

  await page.goBack();
  await untilFocused(page, /^a: Then the second/);
  await page.goBack();
  await untilFocused(page, /^h1: Inbox/);
  await page.goForward();
  await untilFocused(page, /^a: Then the second/);

  await keyboard.press(",");
  await untilFocused(page, /^h1: Settings/);
  // the next key continues from there
  await keyboard.press("Tab");
  expect(await page.evaluate<boolean>(`document.activeElement.closest("main") !== null`)).toBe(true);
});
