import type { Attempt } from "@skein/contracts";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { startRealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";
import { newScriptedModel } from "../support/scripts.ts";

afterAll(closeBrowser);

const first = "# Add a greeting\n\n1. Write `greeting.txt`.\n2. Run the tests.\n\n| file | change |\n|---|---|\n| `greeting.txt` | new |";
const propose = (plan: string) => ({ toolCalls: [{ name: "exit_plan", arguments: { plan } }] });
const card = (page: Page) => page.locator("[data-approval-id]");

test("[E10, U5] plan mode is chosen in the dialog; the plan is read, sent back, edited and approved by keyboard", async () => {
  const model = newScriptedModel([
    { text: "I look first.", ...propose(first) },
    propose(`${first}\n\n3. Update the README.`),
    { toolCalls: [{ name: "write", arguments: { path: "greeting.txt", content: "Hello\n" } }] },
    { text: "All done." },
  ]);
  const server = await startRealServer();
  const project = await server.api.createProject(newRepository("atlas"));
  const task = await server.api.createTask(project.id, "Add a greeting");
  await server.api.createAttempt(task.id, { model, permissionMode: "ask" });
  const { page, complaints } = await visit(server, { path: `/t/${task.id}` });

  await page.getByRole("button", { name: "New attempt" }).first().click();
  await page.getByRole("combobox", { name: "Permissions" }).click();
  await page.getByRole("option", { name: /^Plan first/ }).click();
  await page.getByText("The agent can only read until you have approved its plan.").first().waitFor();
  await keepScreenshot(page, "plan-dialog");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Start attempt" }).click();
  await page.getByRole("button", { name: "Permissions: Plan first" }).waitFor();
  await page.getByRole("textbox", { name: "Message", exact: true }).fill("Greet");
  await page.keyboard.press("Enter");

  await card(page).getByRole("heading", { name: "Add a greeting" }).waitFor();
  await card(page).getByRole("cell", { name: "greeting.txt" }).waitFor();
  await keepScreenshot(page, "plan-card-light");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Send back" }).click();
  await page.getByLabel("Feedback on the plan").fill("Mention the README");
  await expectAccessible(page);
  await page.keyboard.press("Control+Enter");

  // the second one is answered in the inbox
  await card(page).getByText("Update the README.").waitFor();
  await page.locator("body").click({ position: { x: 5, y: 5 } });
  await page.keyboard.press("i");
  await page.getByRole("heading", { name: "Inbox" }).waitFor();
  await card(page).getByText("Update the README.").waitFor();
  expect(await card(page).getByRole("radio", { name: "Accept edits" }).isChecked()).toBe(true);
  await page.keyboard.press("e");
  const field = page.getByLabel("The plan, in Markdown");
  await expect.poll(() => field.inputValue()).toContain("3. Update the README.");
  await field.fill("# Add a greeting\n\nOnly `greeting.txt`.");
  await keepScreenshot(page, "plan-card-edited");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Approve edited plan" }).click();
  await expect.poll(() => card(page).count()).toBe(0);

  await page.goto(`${server.url}/t/${task.id}`);
  await page.getByText("All done.").waitFor();
  await page.getByRole("button", { name: "Permissions: Accept edits" }).waitFor();
  const attempts = await server.api.request<Attempt[]>("GET", `/api/tasks/${task.id}/attempts`);
  expect(attempts.map(({ permissionMode }) => permissionMode)).toEqual(["ask", "accept-edits"]);
  const { messages } = await server.api.conversation(task.id);
  const plans = messages.flatMap((message) => (message.messageType === "tool_execution" ? [message.metadata] : []));
  expect(plans.map(({ toolName, state }) => [toolName, state])).toEqual([
    ["exit_plan", "denied"],
    ["exit_plan", "completed"],
    ["write", "completed"],
  ]);
  expect(plans[1]).toMatchObject({ details: { data: { plan: "# Add a greeting\n\nOnly `greeting.txt`." } } });
  expect(complaints).toEqual([]);
});

test("[U5] the card of a plan fits a phone, in dark and in Chinese", async () => {
  const server = await startRealServer();
  const project = await server.api.createProject(newRepository("atlas"));
  const task = await server.api.createTask(project.id, "Add a greeting");
  await server.api.createAttempt(task.id, { model: newScriptedModel([propose(first)]), permissionMode: "plan" });
  await server.api.send(task.id, "Greet");
  const { page, complaints } = await visit(server, {
    path: `/t/${task.id}`,
    viewport: { width: 360, height: 780 },
    colorScheme: "dark",
    locale: "zh-CN",
  });
  await card(page).getByRole("button", { name: "批准计划" }).waitFor();
  // drawn by a worker
  await card(page).getByRole("cell", { name: "greeting.txt" }).waitFor();
  await expectFits(page);
  await expectAccessible(page);
  await keepScreenshot(page, "plan-card-narrow-dark-zh");
  await card(page).getByRole("button", { name: "修改" }).click();
  await expectFits(page);
  await card(page).getByRole("button", { name: "放弃修改" }).click();
  await card(page).getByText("完全访问").click();
  await expect.poll(() => card(page).getByRole("radio", { name: "完全访问" }).isChecked()).toBe(true);
  await card(page).getByRole("button", { name: "批准计划" }).click();
  await expect.poll(() => card(page).count()).toBe(0);
  expect(complaints).toEqual([]);
});
