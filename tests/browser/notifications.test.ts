import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { startRealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";
import { newScriptedModel } from "../support/scripts.ts";

afterAll(closeBrowser);

/** A headless browser shows no notifications: those that the page would show are recorded. */
const recordNotices = `
  window.notices = [];
  window.Notification = class {
    static permission = localStorage.getItem("test.permission") ?? "default";
    static async requestPermission() {
      localStorage.setItem("test.permission", "granted");
      return (this.permission = "granted");
    }
    constructor(title, options) {
      window.notices.push([title, options.body]);
      window.lastNotice = this;
    }
    close() {}
  };
  document.hasFocus = () => localStorage.getItem("test.focus") !== "away";
`;
const notices = (page: Page) => page.evaluate("window.notices");

test("a user who looks elsewhere is notified once when a task is done or waits, and a click opens it", async () => {
  const server = await startRealServer();
  const project = await server.api.createProject(newRepository("atlas"));
  const quick = await server.api.createTask(project.id, "Quick one");
  await server.api.createAttempt(quick.id, { model: newScriptedModel([{ text: "Done." }]) });
  const asking = await server.api.createTask(project.id, "Asking one");
  const question = { name: "ask", arguments: { questions: [{ question: "Go on?", options: [{ label: "Yes" }] }] } };
  await server.api.createAttempt(asking.id, { model: newScriptedModel([{ toolCalls: [question] }, { text: "Thanks." }]) });

  const { page, complaints } = await visit(server, { path: "/icon.svg" });
  await page.context().addInitScript(recordNotices);
  await page.goto(`${server.url}/settings/notifications`);
  await page.getByRole("button", { name: "Turn on" }).click();
  await page.getByText("On", { exact: true }).waitFor();
  await keepScreenshot(page, "settings-notifications-on");
  const second = await page.context().newPage();
  await second.goto(`${server.url}/p/${project.id}`);
  await second.getByText("Live", { exact: true }).waitFor();

  await page.evaluate("localStorage.setItem('test.focus', 'away')");
  await server.api.send(quick.id, "Go");
  await expect.poll(() => notices(page)).toEqual([["Done", "Quick one"]]);
  await server.api.send(asking.id, "Go");
  await expect
    .poll(() => notices(page))
    .toEqual([
      ["Done", "Quick one"],
      ["Waiting for your answer", "Asking one"],
    ]);
  expect(await notices(second)).toEqual([]);
  await expect.poll(() => page.title()).toMatch(/^\(2\) /);

  await page.evaluate("window.lastNotice.onclick()");
  await page.waitForURL(`${server.url}/t/${asking.id}`);
  // while the page is visible, there is no notification
  await page.evaluate("localStorage.removeItem('test.focus')");
  await page.getByText("Yes").first().click();
  await page.getByRole("button", { name: "Answer" }).click();
  await page.getByText("Thanks.").waitFor();
  expect(await notices(page)).toHaveLength(2);
  expect(complaints).toEqual([]);
});

test("a server that goes away is reported, typed text stays, and the page reconnects by itself", async () => {
  const server = await startRealServer();
  const project = await server.api.createProject(newRepository("atlas"));
  const { page } = await visit(server, { path: `/p/${project.id}` });
  await page.getByText("Live", { exact: true }).waitFor();
  // the composer of the empty board is there once the board's tasks have arrived
  const prompt = page.getByRole("textbox", { name: "What should be done?" });
  await prompt.waitFor();
  await server.stop();
  await page.getByText(/No data is lost, and running agents|The server is not responding/).waitFor();
  await prompt.fill("Written while it was away");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByText("The server could not be reached").waitFor();
  expect(await prompt.inputValue()).toBe("Written while it was away");
  await page.reload().catch(() => {});
  await server.start();
  await page.goto(`${server.url}/p/${project.id}`);
  await page.getByText("Live", { exact: true }).waitFor();
  await expect.poll(() => prompt.inputValue()).toBe("Written while it was away");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.locator("[data-task-id]", { hasText: "Written while it was away" }).waitFor();
});
