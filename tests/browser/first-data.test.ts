import type { Task } from "@skein/contracts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeBrowser, visit } from "../support/browser.ts";
import { openEventStream } from "../support/event-stream.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";

let server: RealServer;
let projectId = "";
let taskId = "";

beforeAll(async () => {
  server = await startRealServer({ keep: true });
  projectId = (await server.api.createProject(newRepository("atlas"))).id;
  taskId = (await server.api.createTask(projectId, "Show me around")).id;
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

/** Lets only the first data through: nothing else answers, so what the page shows is from there. */
async function allowOnly(page: Page, allowed: RegExp): Promise<string[]> {
  const asked: string[] = [];
  await page.route("**/api/**", (route) => {
    const { pathname } = new URL(route.request().url());
    asked.push(pathname);
    return allowed.test(pathname) ? route.continue() : undefined;
  });
  return asked;
}

test("a signed-in page shows its cards, and a task its conversation, after one request", async () => {
  const { page, complaints } = await visit(server);
  await page
    .getByRole("link", { name: /Show me around/ })
    .first()
    .waitFor();
  const asked = await allowOnly(page, /^\/api\/overview$/);
  await page.reload();
  await page.locator(`[data-task-id="${taskId}"]`).waitFor();
  expect(asked.filter((path) => path === "/api/overview")).toHaveLength(1);
  await page.goto(`${server.url}/t/${taskId}`);
  await page.getByRole("heading", { name: "Show me around" }).waitFor();
  await page.locator("[data-message-id]").last().waitFor();
  expect(asked.filter((path) => /tasks|projects|conversation|attempts$/.test(path))).toEqual([]);
  expect(complaints).toEqual([]);
});

test("a task that is opened from the board takes one request to its conversation", async () => {
  const { page } = await visit(server);
  await page.locator(`[data-task-id="${taskId}"]`).waitFor();
  // a conversation waits for the stream
  await page.getByText("Live", { exact: true }).waitFor();
  const asked = await allowOnly(page, /^\/api\/tasks\/[^/]+\/overview$/);
  // without the pointer, whose hover would load the page before
  await page.evaluate(`document.querySelector('[data-task-id="${taskId}"]').click()`);
  await page.locator("[data-message-id]").last().waitFor();
  expect(asked.filter((path) => path.includes(taskId))).toEqual([`/api/tasks/${taskId}/overview`]);
});

test("[E6] what happens between the first data and the opening of the stream is shown", async () => {
  const { page } = await visit(server);
  await page.locator(`[data-task-id="${taskId}"]`).waitFor();
  const opening = Promise.withResolvers<void>();
  await page.route("**/api/events*", async (route) => {
    await opening.promise;
    await route.continue();
  });
  await page.reload();
  await page.locator(`[data-task-id="${taskId}"]`).waitFor();
  const later = await server.api.request<Task>("POST", "/api/tasks", { projectId, title: "Made in between" });
  opening.resolve();
  await page.locator(`[data-task-id="${later.id}"]`).waitFor();
});

test("[X18] without the first data a page loads its parts, and one that is signed out shows it", async () => {
  const { page } = await visit(server);
  const card = page.locator(`[data-task-id="${taskId}"]`);
  const readCard = async () => (await card.innerText()).replace(/just now|\d+ \w+ ago/g, "recently");
  await card.waitFor();
  const shown = await readCard();
  await page.route("**/api/overview*", (route) => route.fulfill({ status: 500, body: "no" }));
  await page.reload();
  await card.waitFor();
  // the first data is shorter, and the card is the same
  await expect.poll(readCard).toBe(shown);
  await page.unroute("**/api/overview*");
  await page.evaluate(() => localStorage.setItem("skein.session", "sks_other"));
  await page.reload();
  await page.getByRole("heading", { name: "This browser is not signed in" }).waitFor();
});
