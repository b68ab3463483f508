import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Approval, CreateTask, Task } from "@skein/contracts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, untilDrawn, visit } from "../support/browser.ts";
import { openEventStream } from "../support/event-stream.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";
import { bash, bashUntilGo, newScriptedModel } from "../support/scripts.ts";

let server: RealServer;
let projectId = "";

beforeAll(async () => {
  server = await startRealServer({ keep: true });
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

const some: Omit<CreateTask, "projectId">[] = [
  { title: "Alpha", tags: ["api", "bug"], priority: "urgent" },
  { title: "Beta", priority: "low" },
  { title: "Gamma", tags: ["api"] },
  { title: "Delta", status: "in-progress" },
  { title: "Epsilon", status: "done" },
];

beforeEach(async () => {
  projectId = (await server.api.createProject(newRepository("atlas"))).id;
  for (const task of some) await server.api.request<Task>("POST", "/api/tasks", { projectId, ...task });
});

const listTasks = (archived = "false") => server.api.request<Task[]>("GET", `/api/tasks?projectId=${projectId}&archived=${archived}`);
const titles = async (status: string) =>
  (await listTasks())
    .filter((task) => task.status === status)
    .sort((a, b) => a.position - b.position)
    .map(({ title }) => title);
const card = (page: Page, title: string) => page.locator("[data-task-id]", { hasText: title });
const column = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

async function open(options = {}) {
  const visitor = await visit(server, { path: `/p/${projectId}`, ...options });
  await card(visitor.page, "Alpha").waitFor();
  return visitor;
}

describe("moving cards", () => {
  test("by mouse, to a place in another column and back by undo; a click still opens", async () => {
    const { page, complaints } = await open();
    const from = await card(page, "Beta").boundingBox();
    const to = await card(page, "Delta").boundingBox();
    if (!from || !to) throw new Error("no cards");
    await page.mouse.move(from.x + 40, from.y + 12);
    await page.mouse.down();
    await page.mouse.move(from.x + 80, from.y + 40, { steps: 4 });
    await page.mouse.move(to.x + 40, to.y + to.height - 4, { steps: 6 });
    await untilDrawn(page);
    await keepScreenshot(page, "board-drag");
    await page.mouse.up();
    await expect.poll(() => titles("in-progress")).toEqual(["Delta", "Beta"]);
    expect(new URL(page.url()).pathname).toBe(`/p/${projectId}`);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => titles("todo")).toEqual(["Alpha", "Beta", "Gamma"]);
    await card(page, "Beta").click();
    await page.waitForURL(/\/t\//);
    expect(complaints).toEqual([]);
  });

  test("by keyboard, with the focus on the card that moved", async () => {
    const { page } = await open();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await expect.poll(() => page.evaluate("document.activeElement?.textContent")).toContain("Beta");
    await page.keyboard.press("Shift+ArrowUp");
    await expect.poll(() => titles("todo")).toEqual(["Beta", "Alpha", "Gamma"]);
    await page.keyboard.press("Shift+ArrowRight");
    await expect.poll(() => titles("in-progress")).toEqual(["Beta", "Delta"]);
    await expect.poll(() => page.evaluate("document.activeElement?.textContent")).toContain("Beta");
    await page.keyboard.press("4");
    await expect.poll(() => titles("done")).toEqual(["Epsilon", "Beta"]);
    await page.keyboard.press("Control+z");
    await expect.poll(() => titles("in-progress")).toEqual(["Beta", "Delta"]);
    // after archiving, the next card has the focus
    await card(page, "Alpha").focus();
    await page.keyboard.press("e");
    await expect.poll(() => page.evaluate("document.activeElement?.textContent")).toContain("Gamma");
  });

  test("by touch: a long press picks a card up, a swipe scrolls", async () => {
    const { page } = await open({ viewport: { width: 700, height: 800 }, hasTouch: true, isMobile: true });
    const session = await page.context().newCDPSession(page);
    const touch = (type: string, x: number, y: number) =>
      session.send("Input.dispatchTouchEvent", { type: type as "touchStart", touchPoints: type === "touchEnd" ? [] : [{ x, y }] });
    const from = await card(page, "Alpha").boundingBox();
    const to = await card(page, "Delta").boundingBox();
    if (!from || !to) throw new Error("no cards");
    await touch("touchStart", from.x + 40, from.y + 12);
    await page.locator(".drag-image").waitFor();
    await touch("touchMove", from.x + 90, from.y + 30);
    await touch("touchMove", to.x + 40, to.y + 2);
    await untilDrawn(page);
    await touch("touchEnd", 0, 0);
    await expect.poll(() => titles("in-progress")).toEqual(["Alpha", "Delta"]);

    const still = await card(page, "Beta").boundingBox();
    if (!still) throw new Error("no card");
    // at once, without waiting for the answer to the first
    await Promise.all([touch("touchStart", still.x + 40, still.y + 12), touch("touchMove", still.x + 40, still.y + 60)]);
    await page.waitForTimeout(400);
    expect(await page.locator(".drag-image").count()).toBe(0);
    await touch("touchEnd", 0, 0);
    expect(await titles("todo")).toEqual(["Beta", "Gamma"]);
  });

  test("is shown at once, and reverted when the server refuses", async () => {
    const { page } = await open();
    await page.route("**/api/tasks", (route) =>
      route.request().method() === "PATCH"
        ? route.fulfill({
            status: 409,
            contentType: "application/problem+json",
            json: { title: "No", status: 409, detail: "Not now.", code: "no" },
          })
        : route.continue(),
    );
    await card(page, "Beta").focus();
    await page.keyboard.press("4");
    await page.getByText("Not now.").waitFor();
    await column(page, "To do").getByText("Beta").waitFor();
    expect(await titles("todo")).toEqual(["Alpha", "Beta", "Gamma"]);
  });
});

describe("filters and bulk changes", () => {
  test("filters are in the address, are shown as chips, and survive a reload", async () => {
    const { page } = await open();
    await page.keyboard.press("/");
    await page.keyboard.type("a");
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByRole("menuitemcheckbox", { name: "api" }).click();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("[data-task-id]").count()).toBe(2);
    expect(page.url()).toContain("tag=");
    expect(await page.getByRole("link", { name: "Board" }).getAttribute("aria-current")).toBe("page");
    await page.reload();
    await card(page, "Gamma").waitFor();
    expect(await page.locator("[data-task-id]").count()).toBe(2);
    await page.getByRole("button", { name: "Remove filter: api" }).click();
    await expect.poll(() => page.locator("[data-task-id]").count()).toBe(4);
    await page.getByRole("searchbox").fill("nothing like it");
    await page.getByText("No tasks match this filter.").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect.poll(() => page.locator("[data-task-id]").count()).toBe(5);
  });

  test("a selection is moved, tagged and archived; archived tasks are hidden, shown on request, and restored by undo", async () => {
    const { page, complaints } = await open();
    await card(page, "Alpha").focus();
    await page.keyboard.press("x");
    await card(page, "Gamma").click({ modifiers: ["Shift"] });
    await page.getByText("3 selected").waitFor();
    await keepScreenshot(page, "board-selection");
    await expectAccessible(page);
    const bar = page.getByRole("toolbar", { name: "Selected tasks" });
    await bar.getByRole("button", { name: "Move" }).click();
    await page.getByRole("menuitemradio", { name: "In review" }).click();
    await expect.poll(() => titles("in-review")).toEqual(["Alpha", "Beta", "Gamma"]);
    await bar.getByRole("button", { name: "Tag" }).click();
    await page.keyboard.type("soon");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await listTasks()).filter(({ tags }) => tags.includes("soon")).length).toBe(3);
    await bar.getByRole("button", { name: "Archive" }).click();
    await expect.poll(() => page.locator("[data-task-id]").count()).toBe(2);
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByRole("menuitemcheckbox", { name: "Show archived" }).click();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("[data-task-id]").count()).toBe(5);
    await keepScreenshot(page, "board-archived");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(async () => (await listTasks("true")).length).toBe(0);

    await card(page, "Delta").focus();
    await page.keyboard.press("Delete");
    await page.getByRole("button", { name: "Delete task" }).click();
    await expect.poll(() => page.locator("[data-task-id]").count()).toBe(4);
    expect(complaints).toEqual([]);
  });

  test("the list shows the same tasks, sorts them, and is remembered", async () => {
    const { page, complaints } = await open();
    await page.keyboard.press("v");
    await page.getByRole("table").waitFor();
    const rows = () => page.locator("tbody [data-task-id]").allInnerTexts();
    await page.getByRole("button", { name: "Title" }).click();
    await expect.poll(async () => (await rows())[0]).toContain("Alpha");
    await page.getByRole("button", { name: "Title" }).click();
    await expect.poll(async () => (await rows())[0]).toContain("Gamma");
    expect(await page.getByRole("columnheader", { name: "Title" }).getAttribute("aria-sort")).toBe("descending");
    await keepScreenshot(page, "board-list");
    await expectAccessible(page);
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText("1 selected").waitFor();
    await page.keyboard.press("Escape");
    await page.reload();
    await page.getByRole("table").waitFor();
    expect((await rows())[0]).toContain("Gamma");
    expect(complaints).toEqual([]);
  });
});

test("a card shows what its agent is doing, and when it waits", async () => {
  const model = newScriptedModel([
    { text: "Working.", toolCalls: [bashUntilGo] },
    { toolCalls: [{ name: "ask", arguments: { questions: [{ question: "Go on?", options: [{ label: "Yes" }] }] } }] },
    { text: "Done." },
  ]);
  const task = await server.api.createTask(projectId, "Live one");
  const { directory } = await server.api.createAttempt(task.id, { model });
  const stream = await openEventStream(server.api);
  const { page, complaints } = await open();
  await server.api.send(task.id, "Go");
  await server.api.send(task.id, "And then this");
  const live = card(page, "Live one").first();
  await live.getByText(/until \[ -e go/).waitFor();
  await live.getByText("1 message queued").waitFor();
  await live.getByText("Skein", { exact: true }).waitFor();
  await keepScreenshot(page, "board-live");
  await expectAccessible(page);
  writeFileSync(join(directory, "go"), "");
  await live.getByText(/^Waiting: /).waitFor();
  const approvals = await server.api.request<Approval[]>("GET", "/api/approvals?status=pending");
  const approval = approvals.find(({ taskId }) => taskId === task.id);
  await server.api.request("POST", `/api/approvals/${approval?.id}`, { decision: "deny" });
  await stream.waitFor(({ event }) => event.type === "execution:completed" && event.taskId === task.id);
  await expect.poll(() => live.getByText(/^Waiting: /).count()).toBe(0);
  await server.api.stop(task.id);
  stream.close();
  expect(complaints).toEqual([]);
});

test("[E8] what runs is first in its column, above the user's order, and no card moves away from under the pointer", async () => {
  for (const title of ["Zeta", "Eta"]) await server.api.request("POST", "/api/tasks", { projectId, title, status: "in-progress" });
  const { page, complaints } = await open();
  const inProgress = column(page, "In progress");
  const shown = async () => (await inProgress.locator("[data-task-id]").allInnerTexts()).map((text) => text.split("\n")[0]);
  await expect.poll(shown).toEqual(["Delta", "Zeta", "Eta"]);
  const start = async (title: string) => {
    const found = (await listTasks()).find((task) => task.title === title);
    if (!found) throw new Error(`no task ${title}`);
    const { directory } = await server.api.createAttempt(found.id, {
      model: newScriptedModel([{ toolCalls: [bashUntilGo] }, { text: "Done." }]),
    });
    await server.api.send(found.id, "Go");
    return { id: found.id, end: () => writeFileSync(join(directory, "go"), "") };
  };

  const eta = await start("Eta");
  await expect.poll(shown).toEqual(["Eta", "Delta", "Zeta"]);
  expect(await titles("in-progress")).toEqual(["Delta", "Zeta", "Eta"]);

  // a card that is dropped at the top is the first of the others
  const [from, to] = await Promise.all([card(page, "Beta").boundingBox(), inProgress.locator("[data-task-id]").first().boundingBox()]);
  if (!from || !to) throw new Error("no cards");
  await page.mouse.move(from.x + 40, from.y + 12);
  await page.mouse.down();
  await page.mouse.move(from.x + 80, from.y + 40, { steps: 4 });
  await page.mouse.move(to.x + 40, to.y + 2, { steps: 6 });
  await untilDrawn(page);
  await page.mouse.up();
  await expect.poll(shown).toEqual(["Eta", "Beta", "Delta", "Zeta"]);
  await expect.poll(() => titles("in-progress")).toEqual(["Beta", "Delta", "Zeta", "Eta"]);

  // the pointer is in the column: an agent that starts changes its card, but not the order
  await page.mouse.move(to.x + 42, to.y + 8);
  const zeta = await start("Zeta");
  await card(page, "Zeta")
    .first()
    .getByText(/until \[ -e go/)
    .waitFor();
  expect(await shown()).toEqual(["Eta", "Beta", "Delta", "Zeta"]);
  await page.mouse.move(to.x - 300, 5);
  await expect.poll(shown).toEqual(["Eta", "Zeta", "Beta", "Delta"]);

  // a task that has ended is where the user had put it
  eta.end();
  await column(page, "In review").getByText("Eta").waitFor();
  await expect.poll(shown).toEqual(["Zeta", "Beta", "Delta"]);
  zeta.end();
  await expect.poll(shown).toEqual(["Beta", "Delta"]);
  expect(complaints).toEqual([]);
});

test("a task that was created here also shows what its agent is doing: on its card, in the sidebar and on its page", async () => {
  const { page, complaints } = await open();
  await page.keyboard.press("c");
  await page.getByRole("dialog", { name: "New task" }).waitFor();
  await page.keyboard.type("Fresh");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await card(page, "Fresh").waitFor();
  const fresh = (await listTasks()).find(({ title }) => title === "Fresh");
  if (!fresh) throw new Error("it was not created");
  await server.api.createAttempt(fresh.id, { model: newScriptedModel([{ toolCalls: [bash("sleep 60")] }]) });
  await server.api.send(fresh.id, "Sleep");
  await card(page, "Fresh").getByText("Running sleep 60").waitFor();
  await page
    .getByRole("navigation", { name: "Tasks" })
    .getByRole("link", { name: /Fresh.*Running/ })
    .click();
  await page.getByRole("tab", { name: /Attempt 1, .*Running/ }).waitFor();
  await server.api.stop(fresh.id);
  await expect.poll(() => page.getByRole("tab", { name: /Running/ }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("a card in review shows how much was changed", async () => {
  const write = { name: "write", arguments: { path: "new.txt", content: "one\ntwo\n" } };
  const task = await server.api.createTask(projectId, "Changed one");
  await server.api.createAttempt(task.id, { model: newScriptedModel([{ toolCalls: [write] }, { text: "Done." }]) });
  const { page } = await open();
  await server.api.send(task.id, "Go");
  await column(page, "In review").getByText("+2").waitFor();
});

test("an empty column names a key only where there is a keyboard", async () => {
  const { id } = await server.api.createProject(newRepository());
  await server.api.request<Task>("POST", "/api/tasks", { projectId: id, title: "Over", status: "done" });
  const hint = async (options = {}) => {
    const { page } = await visit(server, { path: `/p/${id}`, ...options });
    return column(page, "To do").getByText("What you want done.").innerText();
  };
  expect(await hint()).toContain("Press C");
  const touch = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  expect(await hint(touch)).toBe("What you want done. Tap “New task” to write it down.");
});

/** Text of cards, as far as it is visible, that is below the buttons of its card. */
const listCoveredText = `[...document.querySelectorAll("main [data-task-id]")].flatMap((card) => {
  const buttons = card.parentElement.lastElementChild.getBoundingClientRect();
  const texts = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
  const covered = [];
  while (texts.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const box = texts.currentNode.parentElement.getBoundingClientRect();
    const isCovered = [...range.getClientRects()].some((rect) =>
      Math.min(rect.right, box.right) > buttons.left + 1 && rect.left < buttons.right && rect.bottom > buttons.top + 1 && rect.top < buttons.bottom - 1);
    if (isCovered) covered.push(texts.currentNode.textContent);
  }
  return covered;
})`;

test("narrow and Chinese: a task is selected by touch, and the board and the list fit", async () => {
  const { page, complaints } = await open({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, locale: "zh-CN" });
  // the buttons of a card, which are always shown here, cover none of its text
  const tagged = { title: "短标题", tags: ["离线地图", "上传", "野外平板", "性能"] };
  const { id } = await server.api.request<Task>("POST", "/api/tasks", { projectId, ...tagged });
  await page.locator(`[data-task-id="${id}"]`).waitFor();
  expect(await page.evaluate(listCoveredText)).toEqual([]);
  await server.api.request("DELETE", `/api/tasks/${id}`);
  await page.getByRole("button", { name: "“Alpha”的操作" }).tap();
  await page.getByRole("menuitem", { name: "选择" }).tap();
  await page.getByText("已选 1 个").waitFor();
  await keepScreenshot(page, "board-selection-narrow");
  await expectAccessible(page);
  await expectFits(page);
  await page.getByRole("button", { name: /以列表显示/ }).tap();
  await page.getByRole("table").waitFor();
  await keepScreenshot(page, "board-list-narrow");
  await expectAccessible(page);
  await expectFits(page);
  expect(complaints).toEqual([]);
});
