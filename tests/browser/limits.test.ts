import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Settings, Task, WaitingExecution } from "@skein/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { startConfiguredServer } from "../support/configured-server.ts";
import type { RealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";
import { bash, bashUntilGo, newScriptedModel } from "../support/scripts.ts";

let server: RealServer;
beforeAll(async () => {
  server = await startConfiguredServer({ limits: { running: 1 } }, {}, { keep: true });
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

/** Tasks whose agents run until there is a file `go`. */
async function startTasks(...titles: string[]) {
  const project = await server.api.createProject(newRepository());
  const model = newScriptedModel([{ toolCalls: [bashUntilGo] }, { text: "Done." }]);
  const started: { task: Task; end(): void }[] = [];
  for (const title of titles) {
    const task = await server.api.createTask(project.id, title);
    const attempt = await server.api.createAttempt(task.id, { model, permissionMode: "full" });
    await server.api.send(task.id, "go");
    started.push({ task, end: () => writeFileSync(join(attempt.directory, "go"), "") });
  }
  return started;
}

test("[L1] what waits because of a limit is seen on its card and in its conversation, is put in another order and started", async () => {
  const [first, second, third] = await startTasks("First", "Second", "Third");
  if (first === undefined || second === undefined || third === undefined) throw new Error("not started");
  const { page, complaints } = await visit(server);
  await page.getByRole("region", { name: "In progress" }).getByText("Waiting to start").first().waitFor();
  await keepScreenshot(page, "limits-board");
  await page.goto(new URL(`/t/${third.task.id}`, server.url).href);
  await page.getByText("1 other starts before it.").waitFor();
  await page.getByRole("tab", { name: /Waiting to start/ }).waitFor();
  await keepScreenshot(page, "limits-conversation");
  await expectAccessible(page);

  // by keyboard: to the list, and the third before the second
  await page.getByRole("link", { name: "Order and limits" }).focus();
  await page.keyboard.press("Enter");
  const rows = page.getByRole("list", { name: "2 executions wait" }).getByRole("listitem");
  await rows.first().getByText("Second").waitFor();
  await page.getByRole("button", { name: "Move “Third” up" }).focus();
  await page.keyboard.press("Enter");
  await rows.first().getByText("Third").waitFor();
  const order = await server.api.request<WaitingExecution[]>("GET", "/api/waiting-executions");
  await keepScreenshot(page, "limits-settings");
  expect(order.map(({ execution }) => execution.taskId)).toEqual([third.task.id, second.task.id]);
  await expectAccessible(page);

  first.end();
  await page.getByRole("list", { name: "1 execution waits" }).waitFor();
  await page.getByRole("button", { name: "Start “Second” now" }).click();
  await page.getByText("Nothing is waiting.").waitFor();
  third.end();
  second.end();

  await page.getByLabel("In all").fill("4");
  await page.keyboard.press("Enter");
  await page.getByText("Saved").waitFor();
  await page.getByLabel("Skein").fill("0");
  await page.getByText("Enter a number from 1 to 1000.").waitFor();
  await page.getByLabel("Skein").fill("2");
  await page.keyboard.press("Enter");
  const limits = async () => (await server.api.request<Settings>("GET", "/api/settings")).general.limits;
  await expect.poll(limits).toEqual({ running: 4, perAgent: { native: 2 }, perProject: {} });
  expect(complaints).toEqual([]);
});

test("[L2] budgets of a project and of a task are set, seen with what was used, and answered in the conversation", async () => {
  const project = await server.api.createProject(newRepository());
  await server.api.request("PATCH", `/api/projects/${project.id}`, { name: "Ledger" });
  const { page, complaints } = await visit(server, { path: "/settings/limits" });
  await page.getByRole("combobox", { name: "For", exact: true }).click();
  await page.getByRole("option", { name: "Ledger" }).click();
  const fields = page.getByRole("group", { name: "One task" });
  await fields.getByLabel("US dollars").fill("1.5");
  await page.keyboard.press("Enter");
  const budgets = async () => (await server.api.request<Settings>("GET", "/api/settings")).general.budgets;
  await expect.poll(budgets).toEqual({ perProject: { [project.id]: { task: { costUsd: 1.5 } } } });
  await keepScreenshot(page, "budgets-of-a-project");
  await expectAccessible(page);

  const model = newScriptedModel([
    ...Array.from({ length: 5 }, () => ({ toolCalls: [bash("echo spent")], costUsd: 1, chunkDelayMs: 0 })),
    { text: "Done." },
  ]);
  const task = await server.api.createTask(project.id, "Spend");
  await server.api.createAttempt(task.id, { model, permissionMode: "full" });
  await server.api.send(task.id, "go");
  await page.goto(new URL(`/t/${task.id}`, server.url).href);
  const question = page.getByRole("region", { name: "Budget reached" });
  await question.getByText("$2.00 of $1.50 for this task.").waitFor();
  await page.getByRole("button", { name: "Details" }).click();
  const details = page.getByRole("region", { name: "Details" });
  await details.getByText("$2.00 of $1.50 for this task.").waitFor();
  await keepScreenshot(page, "budget-reached");
  await expectAccessible(page);
  await question.getByRole("button", { name: "Allow $1.50 more" }).click();
  await details.getByText("$3.00 of $3.00 for this task.").waitFor();

  // the task's own replaces it, and what waited continues
  await question.waitFor();
  await details.getByRole("button", { name: "Set a budget" }).click();
  await details.getByLabel("US dollars").fill("0.005");
  await details.getByText("Enter a number from 0.01 to 1000000000.").waitFor();
  await details.getByLabel("US dollars").fill("20");
  await page.keyboard.press("Enter");
  await question.waitFor({ state: "detached" });
  await page.getByText("Done.", { exact: true }).waitFor();
  await details.getByText("$5.00 of $20.00 for this task.").waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  await expectFits(page);
  await keepScreenshot(page, "budget-narrow");
  expect(complaints).toEqual([]);
});
