import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attempt } from "@skein/contracts";
import { afterAll, expect, test } from "vitest";
import { expectAccessible } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { waitForEnd } from "../support/execution-end.ts";
import { startRealServer } from "../support/real-server.ts";
import { startRealWorker } from "../support/real-worker.ts";
import { newRepository } from "../support/repository.ts";
import { bashUntilGo, newScriptedModel } from "../support/scripts.ts";

afterAll(closeBrowser);

test("[W3] what waits for a worker says so on the board and in the conversation; it is activated, goes offline, and the attempt is moved", async () => {
  const server = await startRealServer();
  const worker = await startRealWorker(server);
  const { api } = server;
  const project = await api.createProject(newRepository());
  const model = newScriptedModel([{ toolCalls: [bashUntilGo] }, { text: "Done." }]);
  const task = await api.createTask(project.id, "Work elsewhere");
  const attempt = await api.createAttempt(task.id, { model, permissionMode: "full", host: worker.name });
  await api.request("PATCH", `/api/workers/${worker.id}`, { state: "draining" });
  const { executionId } = await api.send(task.id, "Go");

  const { page, complaints } = await visit(server);
  await page.getByRole("region", { name: "In progress" }).getByText("Waiting for box").waitFor();
  await keepScreenshot(page, "worker-board");
  await page.getByRole("link", { name: "Work elsewhere" }).first().click();
  await page.getByText("Waiting for box, which is draining").waitFor();
  await keepScreenshot(page, "worker-waits");
  await expectAccessible(page);
  await page.getByRole("status").getByRole("link", { name: "Workers" }).click();
  await page.getByRole("button", { name: "Activate" }).click();
  await page.getByText(/^1 of \d+ agents? running$/).waitFor();

  await worker.kill();
  await page.goto(new URL(`/t/${task.id}`, server.url).href);
  await page.getByText(/^box is offline since .*arrives when it is back\.$/).waitFor();
  await worker.start();
  await worker.connected();
  await page.getByText("box is offline").waitFor({ state: "detached" });
  writeFileSync(join(attempt.directory, "go"), "");
  expect(await waitForEnd(server, attempt.id, executionId)).toMatchObject({ status: "success" });

  // by keyboard
  await page.getByRole("button", { name: "Machine: box" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitemradio", { name: "This machine" }).waitFor();
  await keepScreenshot(page, "worker-move");
  await page.getByRole("menuitemradio", { name: "This machine" }).press("Enter");
  await page.getByRole("button", { name: "Machine: This machine" }).waitFor();
  const moved = await api.request<Attempt>("GET", `/api/attempts/${attempt.id}`);
  expect(moved.hostId ?? null).toBeNull();
  expect(moved.directory.startsWith(server.home)).toBe(true);
  expect(existsSync(join(moved.directory, "go"))).toBe(true);
  expect(complaints).toEqual([]);
});
