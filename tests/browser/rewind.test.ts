import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attempt } from "@skein/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";
import { bash, newScriptedModel } from "../support/scripts.ts";

let server: RealServer;

beforeAll(async () => {
  server = await startRealServer({ keep: true });
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

/** An attempt whose two executions each write a file. */
async function workTwice(title: string) {
  const { api } = server;
  const task = await api.createTask((await api.createProject(newRepository("atlas"))).id, title);
  const script = "if [ ! -e one.txt ]; then echo 1 > one.txt; else echo 2 > two.txt; echo more >> one.txt; fi";
  const model = newScriptedModel([{ toolCalls: [bash(script)] }, { text: "Done." }]);
  const attempt = await api.createAttempt(task.id, { model, permissionMode: "full" });
  for (const [index, message] of ["Write one", "Write two"].entries()) {
    await api.send(task.id, message);
    const statuses = async () => (await api.executions(attempt.id)).map(({ status }) => status);
    await expect.poll(statuses, { timeout: 60_000 }).toEqual(Array.from({ length: index + 1 }, () => "success"));
  }
  const executions = await api.executions(attempt.id);
  // their files are recorded after their end
  for (const { id } of executions) await api.request("GET", `/api/executions/${id}/diff`);
  return { task, attempt, executions };
}

const read = ({ directory }: Pick<Attempt, "directory">, name: string) =>
  existsSync(join(directory, name)) ? readFileSync(join(directory, name), "utf8") : null;

test("[G3] rewind: files are restored to an execution and back again; a file of the user stays", async () => {
  const { task, attempt, executions } = await workTwice("Go back");
  writeFileSync(join(attempt.directory, "mine.txt"), "mine\n");
  const { page, complaints } = await visit(server, { path: `/t/${task.id}` });
  const end = (index: number) => page.locator(`[data-execution-id="${executions[index]?.id}"]`);
  await end(0).getByRole("button", { name: "Actions of this execution" }).press("Enter");
  const restore = page.getByRole("menuitem", { name: /^Restore files to here/ });
  await restore.getByText("You can undo it.").waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "rewind-menu");
  await restore.click();
  await page.getByText("Restored 2 files", { exact: true }).waitFor();
  expect([read(attempt, "one.txt"), read(attempt, "two.txt"), read(attempt, "mine.txt")]).toEqual(["1\n", null, "mine\n"]);
  await keepScreenshot(page, "rewind-restored");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => read(attempt, "two.txt")).toBe("2\n");
  expect(read(attempt, "one.txt")).toBe("1\nmore\n");

  // by the palette: to before the last execution
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("restore files");
  await page.getByRole("option", { name: /Restore files to before the last execution/ }).waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => read(attempt, "two.txt")).toBe(null);
  expect(complaints).toEqual([]);
});

test("[G3] rewind: a fork has the files and the conversation up to there; an edited message is sent again in its own attempt", async () => {
  const { task, attempt, executions } = await workTwice("Take another way");
  const attempts = () => server.api.request<Attempt[]>("GET", `/api/tasks/${task.id}/attempts`);
  const { page, complaints } = await visit(server, { path: `/t/${task.id}?attempt=${attempt.id}` });
  const end = page.locator(`[data-execution-id="${executions[0]?.id}"]`);
  await end.getByRole("button", { name: "Actions of this execution" }).click();
  await page.getByRole("menuitem", { name: /^Fork from here/ }).click();
  await page.getByText("Forked as attempt 2", { exact: true }).waitFor();
  await page.getByRole("tab", { name: /Attempt 2,.*Active/ }).waitFor();
  const [, fork] = await attempts();
  expect(fork).toMatchObject({ active: true, forkedFrom: { executionId: executions[0]?.id, at: "end" }, permissionMode: "full" });
  expect(fork && [read(fork, "one.txt"), read(fork, "two.txt")]).toEqual(["1\n", null]);

  // from the first attempt, its second message
  await page.getByRole("tab", { name: /Attempt 1,/ }).click();
  const message = page.locator('article[data-role="user"]').filter({ hasText: "Write two" });
  await message.hover();
  await message.getByRole("button", { name: "Edit and resend…" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit and resend" });
  await dialog.getByText("Attempt 1 stays as it is.").waitFor();
  const field = dialog.getByRole("textbox", { name: "Message to send", exact: true });
  expect(await field.inputValue()).toBe("Write two");
  await expectAccessible(page);
  await keepScreenshot(page, "rewind-resend");
  await field.fill("Write two, but better");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("tab", { name: /Attempt 3,.*Active/ }).waitFor();
  await page.locator('article[data-role="user"]').filter({ hasText: "Write two, but better" }).waitFor();
  const third = (await attempts())[2];
  expect(third).toMatchObject({ forkedFrom: { executionId: executions[1]?.id, at: "start" } });
  await expect.poll(() => third && read(third, "two.txt")).toBe("2\n");
  expect(read(attempt, "one.txt")).toBe("1\nmore\n");
  expect(complaints).toEqual([]);

  const narrow = await visit(server, {
    ...{ path: `/t/${task.id}?attempt=${attempt.id}`, viewport: { width: 360, height: 740 }, hasTouch: true },
    ...{ locale: "zh-CN", colorScheme: "dark" as const },
  });
  await narrow.page.getByRole("button", { name: "此次执行的操作" }).last().click();
  await narrow.page.getByRole("menuitem", { name: /^从此处分叉/ }).waitFor();
  await expectFits(narrow.page);
  await expectAccessible(narrow.page);
  await keepScreenshot(narrow.page, "rewind-menu-narrow");
});
