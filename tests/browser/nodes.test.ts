import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createTestDatabases } from "../../packages/storage/src/postgres/__fixtures__/test-databases.ts";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { startNodes } from "../support/nodes.ts";
import { newRepository } from "../support/repository.ts";
import { bashUntilGo, newScriptedModel } from "../support/scripts.ts";

afterAll(closeBrowser);
const databases = createTestDatabases();

test("[W2] a server is drained in the browser: what waits says so, what is left is shown until it can be stopped, and it is activated and removed", async () => {
  const [first, second] = await startNodes(["first", "second"], { databaseUrl: await databases.create() });
  if (first === undefined || second === undefined) throw new Error("not started");
  const project = await first.api.createProject(newRepository());
  const model = newScriptedModel([{ toolCalls: [bashUntilGo] }, { text: "Done." }]);
  const runs = await first.api.createTask(project.id, "Runs");
  const attempt = await first.api.createAttempt(runs.id, { model, permissionMode: "full" });
  const waits = await first.api.createTask(project.id, "Waits for its server");
  await first.api.createAttempt(waits.id, { model: newScriptedModel([{ text: "I have started." }]) });
  await first.api.send(runs.id, "Go");

  const { page, complaints } = await visit(second, { path: "/settings/nodes", viewport: { width: 360, height: 740 } });
  const row = (name: string) => page.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) });
  await row("second").getByText("This one").waitFor();
  await row("first").getByText("1 execution").waitFor();
  // by keyboard
  await row("first").getByRole("button", { name: "Drain" }).press("Enter");
  await row("first").getByText("1 agent runs on its machine.").waitFor();
  await second.api.send(waits.id, "Start");
  await row("first").getByText("1 message waits until it is activated.").waitFor();
  await expectFits(page);
  await expectAccessible(page);
  await keepScreenshot(page, "nodes-drain");

  await page.goto(`${second.url}/t/${waits.id}`);
  await page.getByText("The server first is being drained. The agent starts when it is back.").waitFor();
  await expectAccessible(page);
  await page.goto(`${second.url}/settings/nodes`);
  writeFileSync(join(attempt.directory, "go"), "");
  await row("first").getByText("It can be stopped now.").waitFor();
  await row("first").getByRole("button", { name: "Activate" }).click();
  await row("first").getByText("Draining").waitFor({ state: "detached" });
  await page.goto(`${second.url}/t/${waits.id}`);
  await page.getByText("I have started.").waitFor();
  expect(complaints).toEqual([]);

  await first.stop();
  await page.goto(`${second.url}/settings/nodes`);
  await row("first").getByText("Stopped").waitFor();
  await row("first").getByRole("button", { name: "Remove" }).click();
  await page.getByRole("alertdialog").or(page.getByRole("dialog")).getByRole("button", { name: "Remove" }).click();
  await row("first").getByText("Removed").waitFor();
});
