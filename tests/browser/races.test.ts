import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attempt, Project, ProjectScripts, StartedRace, Task } from "@skein/contracts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { git, newRepository } from "../support/repository.ts";

/** The work of the second attempt passes. */
const check = 'case "$PWD" in *-2-*) echo all is well ;; *) echo "expected: 2, found: something else"; exit 1 ;; esac';

let server: RealServer;
let project: Project;
let repository = "";
beforeAll(async () => {
  // without agents that happen to be installed on this machine
  server = await startRealServer({ keep: true, environment: { PATH: "/usr/bin:/bin" } });
  repository = newRepository("atlas");
  git(repository, "config", "user.name", "Ada");
  git(repository, "config", "user.email", "ada@example.invalid");
  mkdirSync(join(repository, ".skein"));
  writeFileSync(join(repository, ".skein/project.json"), JSON.stringify({ check }));
  git(repository, "add", "--all");
  git(repository, "commit", "--quiet", "--message", "scripts");
  project = await server.api.createProject(repository);
  const path = `/api/projects/${project.id}/scripts`;
  const { hash } = await server.api.request<ProjectScripts>("GET", path);
  await server.api.request("POST", `${path}/trust`, { hash });
  await server.api.request("PATCH", "/api/settings/defaults", { permissionMode: "full" });
  // an empty board has the composer on the page, and opens no dialog
  await server.api.request("POST", "/api/tasks", { projectId: project.id, title: "Another one" });
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

const panel = (page: Page, name = "Ranking") => page.getByRole("region", { name });

test("[L4] three agents in the composer, compared and ranked when all have ended; the winner is landed, the others archived, with undo", async () => {
  const { page, complaints } = await visit(server, { path: `/p/${project.id}`, viewport: { width: 1280, height: 900 } });
  await page.getByRole("button", { name: "New task" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New task" });
  await dialog.getByRole("textbox", { name: "What should be done?" }).fill("Count the files\nand write the number down");
  // by keyboard only
  const add = dialog.getByRole("button", { name: "Add another agent" });
  await add.press("Enter");
  await add.press("Enter");
  await add.press("Enter");
  await dialog.getByRole("button", { name: "Remove agent 4" }).press("Enter");
  expect(await dialog.getByRole("list", { name: "Other agents" }).getByRole("listitem").count()).toBe(2);
  await expectAccessible(page);
  await keepScreenshot(page, "race-composer");
  await dialog.getByRole("button", { name: "Start a race of 3" }).press("Enter");
  await page.waitForURL(/\/t\/tsk_[^/]+\/compare/);
  await panel(page).getByText("#2 Skein is the best").waitFor();
  await panel(page).getByText("checks passed · the only one").waitFor();
  await expect.poll(() => page.locator('[data-check-state="failed"]').count()).toBe(2);
  await page
    .getByRole("button", { name: /^Checks failed/ })
    .first()
    .click();
  await page.getByText("expected: 2, found: something else").first().waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "race-compare");
  const path = new URL(page.url()).pathname;
  const taskId = path.split("/")[2] ?? "";

  const others = [
    ["dark", { colorScheme: "dark" as const }, "Ranking"],
    ["narrow", { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }, "Ranking"],
    ["chinese", { locale: "zh-CN" }, "排名"],
    ["chinese-narrow", { locale: "zh-CN", viewport: { width: 360, height: 740 }, colorScheme: "dark" as const }, "排名"],
  ] as const;
  for (const [name, options, title] of others) {
    const other = await visit(server, { path, ...options });
    await panel(other.page, title).getByText(/#2/).waitFor();
    await expect.poll(() => other.page.locator('[data-check-state="failed"]').count()).toBe(2);
    await expectFits(other.page);
    await keepScreenshot(other.page, `race-compare-${name}`);
    await other.page.close();
  }

  const task = await visit(server, { path: `/t/${taskId}?view=changes` });
  const line = task.page.getByRole("region", { name: "Checks" });
  await line.getByRole("button", { name: /^Checks failed/ }).click();
  await line.getByText("expected: 2, found: something else").waitFor();
  await line.getByRole("button", { name: "Run again" }).waitFor();
  await keepScreenshot(task.page, "race-task");
  expect(task.complaints).toEqual([]);
  await task.page.close();

  const inbox = await visit(server, { path: "/inbox" });
  await inbox.page.getByText("Race finished: 1 of 3 passed").first().waitFor();
  await keepScreenshot(inbox.page, "race-inbox");
  await inbox.page.getByRole("link", { name: "Compare" }).click();
  await inbox.page.waitForURL(/\/compare/);
  await inbox.page.goto(`${server.url}/p/${project.id}`);
  await inbox.page.getByText("Race: 1 of 3 passed").first().waitFor();
  await keepScreenshot(inbox.page, "race-board");
  await inbox.page.close();

  await panel(page).getByRole("button", { name: "Archive the 2 others" }).click();
  await page.getByText("2 attempts archived").waitFor();
  const list = () => server.api.request<Attempt[]>("GET", `/api/tasks/${taskId}/attempts`);
  const states = async () => (await list()).map(({ active, archived = false }) => [active, archived]);
  expect(await states()).toEqual([
    [false, true],
    [true, false],
    [false, true],
  ]);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("2 attempts restored").waitFor();
  expect(await states()).toEqual([
    [true, false],
    [false, false],
    [false, false],
  ]);

  await panel(page).getByRole("button", { name: "Commit the winner" }).click();
  const commit = page.getByRole("dialog", { name: "Commit changes" });
  await commit.getByRole("button", { name: "Commit", exact: true }).click();
  const landing = page.getByRole("dialog", { name: /^Land on main/ });
  await landing.waitFor();
  await keepScreenshot(page, "race-land");
  await page.keyboard.press("Control+Enter");
  await expect.poll(async () => (await server.api.request<Task>("GET", `/api/tasks/${taskId}`)).status).toBe("done");
  expect(git(repository, "log", "--format=%s", "main").split("\n")[0]).toBe("Count the files");
  await panel(page).getByRole("button", { name: "Archive the 2 others" }).click();
  await page.getByText("2 attempts archived").waitFor();
  await page.goto(`${server.url}/t/${taskId}`);
  await expect.poll(() => page.getByRole("tab").filter({ hasText: /^#\d/ }).count()).toBe(1);
  await keepScreenshot(page, "race-archived");
  expect(complaints).toEqual([]);
});

test("[L4, E12] while agents of a race ask, the inbox names the attempt of each question, and no check of a working agent is offered", async () => {
  const racer = { agent: "native", model: "scripted/demo", permissionMode: "ask" };
  const { task } = await server.api.request<StartedRace>("POST", "/api/races", {
    id: crypto.randomUUID(),
    task: { projectId: project.id, title: "Which one asks" },
    message: "go",
    attempts: [racer, racer],
  });
  const { page, complaints } = await visit(server, { path: "/inbox" });
  for (const number of [1, 2]) await page.getByText(new RegExp(`atlas · #${number} Skein · asked`)).waitFor();
  await keepScreenshot(page, "race-questions");
  await page.goto(`${server.url}/t/${task.id}/compare`);
  await expect.poll(() => page.locator('[data-check-state="none"]').count()).toBe(2);
  await page.getByText("2 attempts still run").waitFor();
  expect(await page.getByRole("button", { name: "Run checks" }).count()).toBe(0);
  expect(complaints).toEqual([]);
});
