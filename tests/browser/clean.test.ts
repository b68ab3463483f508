import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "@skein/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { startConfiguredServer } from "../support/configured-server.ts";
import { waitForEnd } from "../support/execution-end.ts";
import type { RealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";
import { newScriptedModel } from "../support/scripts.ts";

let server: RealServer;
beforeAll(async () => {
  server = await startConfiguredServer({}, {}, { keep: true });
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

/** A done task with a worktree, in which there is a new file or nothing. */
async function newDoneTask(projectId: string, title: string, file?: string) {
  const task = await server.api.createTask(projectId, title);
  const attempt = await server.api.createAttempt(task.id, { model: newScriptedModel([{ text: "Done." }]) });
  const { executionId } = await server.api.send(task.id, "go");
  await waitForEnd(server, attempt.id, executionId);
  await server.api.request("GET", `/api/executions/${executionId}/diff`);
  if (file !== undefined) writeFileSync(join(attempt.directory, file), "work\n");
  await server.api.request("PATCH", `/api/tasks/${task.id}`, { status: "done" });
  return attempt;
}

test("[L8] Settings → Storage shows what can be removed and why, removes what is left chosen, keeps work, and has the retention", async () => {
  const { id: projectId } = await server.api.createProject(newRepository());
  const merged = await newDoneTask(projectId, "Merged");
  const spared = await newDoneTask(projectId, "Spared");
  const unfinished = await newDoneTask(projectId, "Unfinished", "notes.txt");
  const { page, complaints } = await visit(server, { path: "/settings/storage" });

  const use = page.getByRole("region", { name: "By attempt" }).first();
  await use.getByRole("button", { name: "Measure attempts" }).click();
  await use.getByRole("rowheader", { name: "Merged · attempt 1" }).waitFor();

  const cleanUp = page.getByRole("region", { name: "Clean up" });
  await cleanUp.getByRole("combobox", { name: "Not used for" }).click();
  await page.getByRole("option", { name: "Any time" }).click();
  await cleanUp.getByRole("button", { name: "Show what can be removed" }).click();
  const worktrees = cleanUp.getByRole("group", { name: "Worktrees" });
  await worktrees.getByText(`The branch ${merged.branch} stays`).waitFor();
  expect(await worktrees.getByRole("listitem").count()).toBe(2);
  await cleanUp.getByText("Kept: 1 item").click();
  await cleanUp.getByText("1 uncommitted file").waitFor();
  await keepScreenshot(page, "clean-plan");
  await expectAccessible(page);
  expect(existsSync(merged.directory)).toBe(true);

  await worktrees.getByRole("checkbox", { name: "Spared · attempt 1" }).uncheck();
  await cleanUp.getByRole("checkbox", { name: "Logs", exact: true }).uncheck();
  await cleanUp.getByText(/^1 chosen, at least /).waitFor();
  await cleanUp.getByRole("button", { name: "Remove", exact: true }).click();
  await cleanUp.getByText(/^1 item was removed, /).waitFor();
  await expect.poll(() => [merged, spared, unfinished].map(({ directory }) => existsSync(directory))).toEqual([false, true, true]);
  await worktrees.getByText("Spared · attempt 1").waitFor();
  await expect.poll(() => worktrees.getByText("Merged · attempt 1").count()).toBe(0);

  await page.getByLabel("Worktrees of done and archived tasks, in days").fill("30");
  await page.keyboard.press("Enter");
  const retention = async () => (await server.api.request<Settings>("GET", "/api/settings")).general.retention;
  await expect.poll(retention).toEqual({ worktreeDays: 30, sandboxHomeDays: 0, executionLogDays: 90 });
  await page.setViewportSize({ width: 360, height: 740 });
  await expectFits(page);
  await keepScreenshot(page, "clean-narrow");
  expect(complaints).toEqual([]);
});

test("[L7] memory and processes of an execution, and addresses of a sandbox, are set for all projects and for one", async () => {
  const project = await server.api.createProject(newRepository());
  await server.api.request("PATCH", `/api/projects/${project.id}`, { name: "Ledger" });
  const general = async () => (await server.api.request<Settings>("GET", "/api/settings")).general;
  const { page, complaints } = await visit(server, { path: "/settings/limits" });
  const resources = page.getByRole("region", { name: "Memory and processes of one execution" });
  await resources.getByLabel("Memory in GB").fill("1.5");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await general()).resources).toEqual({ memoryMb: 1536, processes: 4096, perProject: {} });
  await resources.getByRole("combobox", { name: "Memory and processes for" }).click();
  await page.getByRole("option", { name: "Ledger" }).click();
  await resources.getByLabel("Processes and threads").fill("500");
  await page.keyboard.press("Enter");
  const own = async () => (await general()).resources.perProject;
  await expect.poll(own).toEqual({ [project.id]: { processes: 500 } });
  await resources.getByLabel("Processes and threads").fill("");
  await page.keyboard.press("Enter");
  await expect.poll(own).toEqual({ [project.id]: {} });
  await resources.scrollIntoViewIfNeeded();
  await keepScreenshot(page, "resource-limits");
  await expectAccessible(page);

  await page.goto(new URL("/settings/sandbox", server.url).href);
  await page.getByRole("combobox", { name: "Addresses for" }).click();
  await page.getByRole("option", { name: "Ledger" }).click();
  await page.getByLabel("Addresses that agents in a sandbox may reach").fill("db.test:5432");
  await page.getByRole("button", { name: "Save" }).click();
  await expect
    .poll(async () => (await general()).sandbox)
    .toEqual({ default: "off", hosts: [], perProject: { [project.id]: { hosts: ["db.test:5432"] } } });
  await keepScreenshot(page, "sandbox-of-a-project");
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectFits(page);
  expect(complaints).toEqual([]);
});
