import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";
import { newScriptedModel, type ScriptStep } from "../support/scripts.ts";

let server: RealServer;
beforeAll(async () => {
  server = await startRealServer({ keep: true });
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

async function newWork(step: ScriptStep) {
  const { api } = server;
  const task = await api.createTask((await api.createProject(newRepository())).id, "Add a file");
  const model = newScriptedModel([step]);
  const attempt = await api.createAttempt(task.id, { model });
  writeFileSync(join(attempt.directory, "new.txt"), "new\n");
  return { task, model };
}

test("[G2] a model suggests the commit message on a click, which names it before; the suggestion can be undone", async () => {
  const { task, model } = await newWork({ text: "Add new.txt\n\nIt has one line." });
  const { page, complaints } = await visit(server, { path: `/t/${task.id}?view=changes` });
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/commit-message") && request.method() === "POST") asked.push(request.postData() ?? "");
  });
  await page.getByRole("button", { name: "Commit…" }).click();
  const dialog = page.getByRole("dialog", { name: "Commit changes" });
  const message = dialog.getByRole("textbox", { name: "Message", exact: true });
  const suggest = dialog.getByRole("button", { name: "Suggest message" });
  await suggest.waitFor();
  expect(await suggest.getAttribute("title")).toBe(`Sends the task's title and the diff to ${model}`);
  await message.fill("My own");
  expect(asked).toEqual([]);
  await suggest.click();
  await expect.poll(() => message.inputValue()).toBe("Add new.txt\n\nIt has one line.");
  expect(asked).toEqual([JSON.stringify({ model })]);
  await expectAccessible(page);
  await keepScreenshot(page, "commit-message");
  await dialog.getByRole("button", { name: "Undo" }).click();
  expect(await message.inputValue()).toBe("My own");
  expect(complaints).toEqual([]);
});

test("[G2] a model that fails leaves the message as it is and shows why; in Chinese, on a narrow screen", async () => {
  const { task } = await newWork({ error: { kind: "quota", message: "No credit is left." } });
  const { page } = await visit(server, {
    path: `/t/${task.id}?view=changes`,
    locale: "zh-CN",
    viewport: { width: 360, height: 740 },
    hasTouch: true,
  });
  await page.getByRole("button", { name: "提交…" }).click();
  const dialog = page.getByRole("dialog", { name: "提交改动" });
  await dialog.getByRole("button", { name: "建议提交说明" }).click();
  await dialog.getByRole("alert").getByText("没有给出提交说明").waitFor();
  expect(await dialog.getByRole("textbox", { name: "提交说明", exact: true }).inputValue()).toBe("Add a file");
  await expectFits(page);
  await keepScreenshot(page, "commit-message-failed-narrow");
});
