import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Settings, Task } from "@skein/contracts";
import type { Locator, Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { newFolder, newRepository } from "../support/repository.ts";

afterAll(closeBrowser);

/** An empty data dir of a user with one repository in `~/code`. */
async function startForNewUser(): Promise<RealServer> {
  const user = newFolder("user");
  mkdirSync(join(user, "code/notes"), { recursive: true });
  execFileSync("cp", ["-R", newRepository("shop"), join(user, "code/shop")]);
  return startRealServer({ environment: { HOME: user } });
}

const hasFocus = (locator: Locator) => locator.evaluate((element) => element.matches(":focus"));
const listTasks = (server: RealServer) => server.api.request<Task[]>("GET", "/api/tasks");

/** The agent works, and asks before its first command: it has no full access. */
async function expectStarted(server: RealServer, page: Page, prompt: string): Promise<void> {
  await page.waitForURL(/\/t\/tsk_/);
  await page.locator('article[data-role="user"]').getByText(prompt).waitFor();
  await page.locator("article[data-tool]").first().waitFor();
  await page.getByRole("button", { name: "Allow", exact: true }).first().waitFor();
  const [task, ...others] = await listTasks(server);
  expect([task?.title, others]).toEqual([prompt, []]);
  const { defaults } = await server.api.request<Settings>("GET", "/api/settings");
  expect(defaults.permissionMode).toBe("accept-edits");
}

test("[E2] the first task takes four actions: open the link, choose the repository, write the prompt, Enter", async () => {
  const server = await startForNewUser();
  // 1. the link
  const { page, complaints, foreignRequests } = await visit(server);
  const repository = page.getByRole("option", { name: /code\/shop/ });
  await repository.waitFor();
  await keepScreenshot(page, "first-run-1-repository");
  await expectAccessible(page);
  // 2. the repository
  await repository.click();
  const prompt = page.getByRole("textbox", { name: "What should be done?" });
  await prompt.waitFor();
  await page.getByRole("radio", { name: /Accept edits.*Recommended/ }).waitFor();
  await keepScreenshot(page, "first-run-2-composer");
  await expectAccessible(page);
  // 3. the prompt, into the field that has the focus
  await expect.poll(() => hasFocus(prompt)).toBe(true);
  await page.keyboard.type("Show me what you can do");
  // 4. Enter
  await page.keyboard.press("Enter");
  await expectStarted(server, page, "Show me what you can do");
  await keepScreenshot(page, "first-run-3-started");
  expect(complaints).toEqual([]);
  expect(foreignRequests).toEqual([]);
});

test("[E2] the first task by keyboard alone, on a narrow screen: the path is completed, and another permission mode is chosen", async () => {
  const server = await startForNewUser();
  const { page, complaints } = await visit(server, { viewport: { width: 360, height: 740 } });
  const path = page.getByRole("combobox", { name: "Path of a git repository" });
  await path.waitFor();
  await page.keyboard.type("~/co");
  // what is listed for an earlier text is not selected, and Tab would leave the field
  await page.getByRole("option", { name: "code", selected: true }).waitFor();
  await page.keyboard.press("Tab");
  await expect.poll(() => path.inputValue()).toBe("~/code/");
  const shop = page.getByRole("option", { name: /shop/ });
  await shop.waitFor();
  expect(await page.getByRole("option").allInnerTexts()).toEqual([expect.stringMatching(/^shop\s+git repository$/), "notes"]);
  // Enter without a path adds nothing
  expect(await page.locator('[role="option"][aria-selected="true"]').count()).toBe(0);
  await expectFits(page);
  await keepScreenshot(page, "first-run-narrow-1");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");

  const prompt = page.getByRole("textbox", { name: "What should be done?" });
  await prompt.waitFor();
  await expect.poll(() => hasFocus(prompt)).toBe(true);
  await expectFits(page);
  await expectAccessible(page);
  await keepScreenshot(page, "first-run-narrow-2");
  await page.keyboard.type("Look around");
  // to the mode menu and back
  const chosen = page.getByRole("radio", { name: /Accept edits/ });
  for (let step = 0; step < 20 && !(await hasFocus(chosen)); step++) await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowUp");
  await page.getByRole("radio", { name: /Ask before acting/, checked: true }).waitFor();
  await prompt.focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/t\/tsk_/);
  await page.getByRole("button", { name: "Permissions: Ask before acting" }).waitFor();
  await expect.poll(async () => (await server.api.request<Settings>("GET", "/api/settings")).defaults.permissionMode).toBe("ask");
  expect(complaints).toEqual([]);
});

test("without a project, the settings have a way back", async () => {
  const server = await startForNewUser();
  const { page, complaints } = await visit(server, { path: "/settings/appearance" });
  await page.getByRole("heading", { name: "Appearance" }).waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "settings-without-project");
  await page.getByRole("link", { name: "Get started" }).click();
  await page.getByRole("heading", { name: "Welcome to Skein" }).waitFor();
  expect(complaints).toEqual([]);
});

test("[E2] a start whose answer was lost is retried and done once; when the server refuses, the text stays", async () => {
  const server = await startForNewUser();
  const project = await server.api.createProject(newRepository("lost"));
  const { page } = await visit(server, { path: `/p/${project.id}` });
  const prompt = page.getByRole("textbox", { name: "What should be done?" });
  await prompt.fill("Only once");

  // a base branch that does not exist: nothing is created
  await page.getByRole("button", { name: /^Base branch/ }).click();
  await page.getByRole("combobox", { name: "Find a branch, tag or commit" }).fill("nowhere");
  await page.keyboard.press("Enter");
  await prompt.press("Enter");
  await page.getByText("There is no branch or commit “nowhere”").waitFor();
  expect(await prompt.inputValue()).toBe("Only once");
  expect(await listTasks(server)).toEqual([]);

  await page.getByRole("button", { name: /^Base branch/ }).click();
  await page.getByRole("option", { name: /main/ }).click();
  let lost = 0;
  await page.route("**/api/starts", async (route) => {
    if (lost++ > 0) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: "Create and start" }).click();
  await page.waitForURL(/\/t\/tsk_/);
  expect(lost).toBeGreaterThan(1);
  expect(await listTasks(server)).toHaveLength(1);
});
