import type { InboxItem } from "@skein/contracts";
import type { Page } from "playwright-core";
import { afterAll, beforeEach, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { waitForEnd } from "../support/execution-end.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";
import { newScriptedModel } from "../support/scripts.ts";

afterAll(closeBrowser);

let server: RealServer;
let projectId: string;
beforeEach(async () => {
  server = await startRealServer();
  projectId = (await server.api.createProject(newRepository("atlas"))).id;
});

async function run(title: string, model: string): Promise<string> {
  const task = await server.api.createTask(projectId, title);
  const attempt = await server.api.createAttempt(task.id, { model });
  const { executionId } = await server.api.send(task.id, "Go");
  await waitForEnd(server, attempt.id, executionId);
  return task.id;
}

const writes = (text: string) =>
  newScriptedModel([{ toolCalls: [{ name: "write", arguments: { path: "a.txt", content: "one\ntwo\n" } }] }, { text }]);
const fails = newScriptedModel([{ error: { kind: "auth", message: "wrong key" } }]);

const items = (page: Page) => page.locator("[data-inbox]");
const listOnServer = async () => (await server.api.request<InboxItem[]>("GET", "/api/inbox")).length;

test("[E12] finished and failed work is reviewed, dismissed and put back by keyboard, the same in two browsers", async () => {
  const finished = await run("Add a greeting", writes("I added a greeting."));
  await run("Fix the login", fails);
  await run("Rename the module", writes("Renamed."));
  const { page, complaints } = await visit(server, { path: "/inbox" });
  const other = await visit(server, { path: "/inbox", viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  await expect.poll(() => items(page).count()).toBe(3);
  await items(page).first().getByText("I added a greeting.").waitFor();
  await items(page).nth(1).getByText("Failed", { exact: true }).waitFor();
  await expect.poll(() => page.title()).toBe("(3) Inbox · Skein");
  await keepScreenshot(page, "inbox-work");
  await expectAccessible(page);
  await expect.poll(() => items(other.page).count()).toBe(3);
  await other.page.getByRole("link", { name: "Inbox, 3 items need your attention" }).waitFor();
  await keepScreenshot(other.page, "inbox-work-narrow");
  await expectAccessible(other.page);
  await expectFits(other.page);

  // the second one is dismissed, and that is undone
  await page.keyboard.press("j");
  await page.keyboard.press("e");
  await expect.poll(() => items(page).count()).toBe(2);
  await expect.poll(() => items(other.page).count()).toBe(2);
  await page.getByText("Dismissed: Fix the login").waitFor();
  await page.keyboard.press("Control+z");
  await expect.poll(() => items(page).count()).toBe(3);
  await expect.poll(() => items(other.page).count()).toBe(3);

  // the first one is opened with its changes, leaves the inbox, and can be put back
  await page.keyboard.press("k");
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  await page.waitForURL(new RegExp(`/t/${finished}\\?.*view=changes`));
  await expect.poll(listOnServer, { timeout: 60_000 }).toBe(2);
  await page.goBack();
  await expect.poll(() => items(page).count()).toBe(2);
  await expect.poll(() => items(other.page).count()).toBe(2);
  await page.getByRole("button", { name: "Put back" }).click();
  await expect.poll(() => items(page).count()).toBe(3);
  expect(await listOnServer()).toBe(3);

  // a task that is done needs no attention
  await server.api.request("PATCH", `/api/tasks/${finished}`, { status: "done" });
  await expect.poll(() => items(other.page).count()).toBe(2);
  expect(complaints).toEqual([]);
});

test("[E12] the inbox keeps its position when the user visits a task and returns, and when entries disappear", async () => {
  const names = ["One", "Two", "Three", "Four", "Five", "Six"];
  for (const name of names) await run(name, fails);
  const { page } = await visit(server, { path: "/inbox", viewport: { width: 900, height: 400 } });
  await expect.poll(() => items(page).count()).toBe(6);
  for (let step = 0; step < 3; step++) await page.keyboard.press("j");
  const readFocused = () => page.evaluate<string>("document.activeElement?.querySelector('a')?.textContent ?? ''");
  await expect.poll(readFocused).toBe("Four");
  const readScroll = () => page.evaluate<number>("document.querySelector('main').scrollTop");
  const scrolled = await readScroll();
  expect(scrolled).toBeGreaterThan(0);
  await page.keyboard.press("b");
  await page.waitForURL(/\/p\//);
  await page.goBack();
  await expect.poll(() => items(page).count()).toBe(6);
  await expect.poll(readFocused).toBe("Four");
  await expect.poll(readScroll).toBe(scrolled);
  // after a dismissal, the next one is selected
  await page.keyboard.press("e");
  await expect.poll(readFocused).toBe("Five");
  // entries that another window removes above do not change the selection
  const [first] = await server.api.request<InboxItem[]>("GET", "/api/inbox");
  await server.api.request("PATCH", `/api/inbox/${first?.id}`, { cleared: true });
  await expect.poll(() => items(page).count()).toBe(4);
  expect(await readFocused()).toBe("Five");
});
