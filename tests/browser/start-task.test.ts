import type { Attempt, ConversationPage, Project, Task } from "@skein/contracts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { git, newRepository } from "../support/repository.ts";

let server: RealServer;
let project: Project;
beforeAll(async () => {
  server = await startRealServer({ keep: true });
  const repository = newRepository("atlas");
  git(repository, "branch", "release/2.0");
  project = await server.api.createProject(repository);
  await server.api.request("PATCH", "/api/settings/defaults", { permissionMode: "full" });
  await server.api.createTask(project.id, "Always there");
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

const listAttempts = (taskId: string) => server.api.request<Attempt[]>("GET", `/api/tasks/${taskId}/attempts`);
const firstMessage = async (taskId: string) =>
  (await server.api.request<ConversationPage>("GET", `/api/tasks/${taskId}/conversation`)).messages.find(({ role }) => role === "user");
const findTask = async (title: string) =>
  (await server.api.request<Task[]>("GET", `/api/tasks?projectId=${project.id}`)).find((task) => task.title === title);
const card = (page: Page, title: string) => page.locator("[data-task-id]", { hasText: title });

test("[E2] the composer opens from any page; title, mode and base branch are chosen there, and the choices are remembered", async () => {
  const { page, complaints } = await visit(server, { path: "/settings" });
  await page.getByRole("heading", { name: "Settings" }).first().waitFor();
  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog", { name: "New task" });
  const prompt = dialog.getByRole("textbox", { name: "What should be done?" });
  await prompt.fill("Count the files\nand tell me the number");
  await dialog.getByRole("textbox", { name: "Title (optional)" }).fill("A count");
  await dialog.getByRole("button", { name: /^Permissions/ }).click();
  await page.getByRole("menuitemradio", { name: "Ask before acting" }).click();
  await dialog.getByRole("button", { name: "Base branch: main" }).click();
  await page.getByRole("combobox", { name: "Find a branch, tag or commit" }).waitFor();
  await page.keyboard.type("rel");
  await expectAccessible(page);
  await keepScreenshot(page, "new-task-branches");
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Base branch: release/2.0" }).waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "new-task-dialog");
  await prompt.press("Control+Enter");
  await page.waitForURL(/\/t\/tsk_/);
  const task = await findTask("A count");
  expect(task?.description).toBe("Count the files\nand tell me the number");
  expect(await listAttempts(task?.id ?? "")).toMatchObject([{ permissionMode: "ask", baseBranch: "release/2.0", agent: "native" }]);
  expect((await firstMessage(task?.id ?? ""))?.content).toBe("Count the files\nand tell me the number");
  await server.api.stop(task?.id ?? "");

  await page.locator("body").press("Escape");
  await page.evaluate("document.activeElement?.blur()");
  await page.keyboard.press("c");
  await page.getByRole("dialog").getByRole("button", { name: "Permissions: Ask before acting" }).waitFor();
  expect(complaints).toEqual([]);
});

test("[E9] an image that is pasted into the composer reaches the first message; everything fits on a narrow screen", async () => {
  const { page } = await visit(server, { path: `/p/${project.id}`, viewport: { width: 360, height: 740 } });
  await page.getByRole("button", { name: "New task" }).click();
  const prompt = page.getByRole("textbox", { name: "What should be done?" });
  await prompt.fill("Look at this");
  await page.evaluate(`(async () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 4, height: 4 });
    const blob = await new Promise((resolve) => canvas.toBlob(resolve));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([blob], "shot.png", { type: "image/png" }));
    document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  })()`);
  await page.getByRole("button", { name: "Remove the image" }).waitFor();
  await expectFits(page);
  await expectAccessible(page);
  await keepScreenshot(page, "new-task-narrow");
  await page.getByRole("button", { name: "Create and start" }).click();
  await page.waitForURL(/\/t\/tsk_/);
  const task = await findTask("Look at this");
  expect((await firstMessage(task?.id ?? ""))?.metadata).toMatchObject({ images: [{ mediaType: "image/png" }] });
  await server.api.stop(task?.id ?? "");
});

test("[E2] a task that waits is started from its card by a key and by a button, from the palette, and on its page", async () => {
  for (const title of ["By key", "By button", "By palette", "On its page"]) {
    await server.api.request("POST", "/api/tasks", { projectId: project.id, title, description: "In a few words." });
  }
  const { page, complaints } = await visit(server, { path: `/p/${project.id}` });
  await card(page, "By key").focus();
  await page.keyboard.press("s");
  await page.getByText("Started: By key").waitFor();
  await card(page, "By button").hover();
  await page.getByRole("button", { name: "Start: By button" }).click();
  await page.getByText("Started: By button").waitFor();
  await keepScreenshot(page, "start-from-card");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("start palette");
  await page.getByRole("option", { name: "Start: By palette" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("Started: By palette").waitFor();
  await card(page, "On its page").press("Enter");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.locator('article[data-role="user"]').getByText("In a few words.").waitFor();
  for (const title of ["By key", "By button", "By palette", "On its page"]) {
    const task = await findTask(title);
    expect(await listAttempts(task?.id ?? "")).toHaveLength(1);
    expect((await firstMessage(task?.id ?? ""))?.content).toBe(`${title}\n\nIn a few words.`);
    await server.api.stop(task?.id ?? "");
  }
  expect(complaints).toEqual([]);
});

test("[E1] “Start attempt” starts it, with the task's text as its message", async () => {
  const { id } = await server.api.createTask(project.id, "Try it twice");
  const { page } = await visit(server, { path: `/t/${id}` });
  await page.getByRole("button", { name: "New attempt" }).first().click();
  const message = page.getByRole("textbox", { name: "First message" });
  expect(await message.inputValue()).toBe("Try it twice");
  await message.fill("Try it once");
  await page.getByRole("button", { name: "Start attempt" }).click();
  await page.locator('article[data-role="user"]').getByText("Try it once").waitFor();
  await page.locator("article[data-tool]").first().waitFor();
  expect(await listAttempts(id)).toHaveLength(1);
  await server.api.stop(id);
});
