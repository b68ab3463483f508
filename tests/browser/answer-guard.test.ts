import type { Page } from "playwright-core";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { closeBrowser, untilDrawn, visit } from "../support/browser.ts";
import { openEventStream } from "../support/event-stream.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";
import { bash, newScriptedModel } from "../support/scripts.ts";

afterAll(closeBrowser);

let server: RealServer;
beforeEach(async () => {
  server = await startRealServer();
});

/** A task whose agent asks before each command, one after the other. */
async function ask(name: string, ...commands: string[]): Promise<string> {
  const project = await server.api.createProject(newRepository(name));
  const task = await server.api.createTask(project.id, `Work in ${name}`);
  const model = newScriptedModel([...commands.map((command) => ({ toolCalls: [bash(command)] })), { text: "Finished." }]);
  await server.api.createAttempt(task.id, { model, permissionMode: "ask" });
  const stream = await openEventStream(server.api);
  await server.api.send(task.id, "Go");
  // an agent that waits outlives the server
  onTestFinished(() => server.api.stop(task.id).then(() => {}));
  await stream.waitFor(({ event }) => event.type === "approval:requested" && event.taskId === task.id);
  stream.close();
  return task.id;
}

const cards = (page: Page) => page.locator("[data-approval-id]");
const countAnswered = async () => (await server.api.request<unknown[]>("GET", "/api/approvals?status=answered")).length;
/** A card accepts keys once it has been visible and selected for a moment. */
const untilAnswerable = (page: Page) => page.locator("[data-approval-id][data-takes-keys]").first().waitFor();

/** As a keyboard does: one press, then repeats until the key is released. Each repeat comes after the page has drawn. */
async function hold(page: Page, key: string, repeats: number): Promise<void> {
  for (let count = 0; count <= repeats; count++) {
    await page.keyboard.down(key);
    await untilDrawn(page);
  }
}

test("[E10] a key that is held down answers only one approval, in the inbox and in the task, however many follow", async () => {
  const taskId = await ask("atlas", "touch a1", "touch a2", "touch a3");
  await ask("harbour", "touch b1", "touch b2");
  const { page, complaints } = await visit(server, { path: "/inbox" });
  await expect.poll(() => cards(page).count()).toBe(2);
  await untilAnswerable(page);
  await hold(page, "a", 5);
  // the agent that was answered asks for its next command while the key is still down
  await expect.poll(countAnswered, { timeout: 60_000 }).toBe(1);
  await expect.poll(() => cards(page).filter({ hasText: "touch a2" }).count(), { timeout: 60_000 }).toBe(1);
  await untilAnswerable(page);
  await hold(page, "a", 40);
  expect(await countAnswered()).toBe(1);
  await page.keyboard.up("a");

  await page.goto(`${server.url}/t/${taskId}`);
  await untilAnswerable(page);
  await hold(page, "a", 5);
  await expect.poll(countAnswered, { timeout: 60_000 }).toBe(2);
  await cards(page).filter({ hasText: "touch a3" }).waitFor();
  await untilAnswerable(page);
  await hold(page, "a", 40);
  expect(await countAnswered()).toBe(2);
  expect(complaints).toEqual([]);
});

test("[E10] a card that takes the place of an answered one, under the pointer or for the next key, counts as new", async () => {
  for (const name of ["atlas", "harbour", "island"]) await ask(name, `touch ${name}`);
  const { page } = await visit(server, { path: "/icon.svg" });
  // the page's own clock, so that a slow machine does not make a moment long
  await page.clock.install();
  await page.goto(`${server.url}/inbox`);
  await expect.poll(() => cards(page).count()).toBe(3);
  await untilAnswerable(page);
  await page.clock.pauseAt(Date.now() + 3_600_000);
  const allow = cards(page).first().getByRole("button", { name: "Allow", exact: true });
  const at = (await allow.boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.click(at.x + 10, at.y + 10);
  await untilCards(page, 2);
  // the next card is now under the pointer and has the focus
  await page.mouse.click(at.x + 10, at.y + 10);
  await page.keyboard.press("a");
  await page.keyboard.press("Shift+A");
  expect(await allow.isEnabled()).toBe(false);
  expect(await countAnswered()).toBe(1);
  await page.clock.runFor(1000);
  await untilAnswerable(page);
  await page.keyboard.press("a");
  await untilCards(page, 1);
  await page.keyboard.press("a");
  expect(await countAnswered()).toBe(2);
});

/** The page draws a few milliseconds after it receives something: time passes, but less than a card needs. */
async function untilCards(page: Page, count: number): Promise<void> {
  for (let passed = 0; (await cards(page).count()) !== count; passed += 20) {
    if (passed >= 300) throw new Error("The card did not disappear");
    await expect.poll(countAnswered, { timeout: 60_000 }).toBe(3 - count);
    await page.clock.runFor(20);
    await untilReceived(page);
  }
}

/** Resolves when everything the server sent before has arrived: the answer to a request comes after it. */
async function untilReceived(page: Page): Promise<void> {
  await page.evaluate("fetch('/api/health').then((response) => response.text())");
}

test("[E10] from the message field, Escape moves to the pending question, and its keys answer it; the agent is not stopped", async () => {
  const taskId = await ask("atlas", "touch a1");
  const { page, complaints } = await visit(server, { path: `/t/${taskId}` });
  await cards(page).waitFor();
  await page.getByRole("textbox", { name: "Message", exact: true }).click();
  await page.getByText("Esc to answer the agent").waitFor();
  await page.keyboard.press("Escape");
  await untilAnswerable(page);
  await page.keyboard.press("a");
  await page.getByText("Finished.").waitFor();
  expect(await countAnswered()).toBe(1);
  expect(complaints).toEqual([]);
});
