import type { Template } from "@skein/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";

let server: RealServer;
beforeAll(async () => {
  // without agents that happen to be installed on this machine
  server = await startRealServer({ keep: true, environment: { PATH: "/usr/bin:/bin" } });
  await server.api.createProject(newRepository("atlas"));
  await server.api.request("PATCH", "/api/settings/defaults", { permissionMode: "full" });
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

const looks = [
  ["dark", { colorScheme: "dark" as const }],
  ["narrow", { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
  ["chinese", { locale: "zh-CN" }],
  ["chinese-narrow", { locale: "zh-CN", viewport: { width: 360, height: 740 }, colorScheme: "dark" as const }],
] as const;

async function keepLooks(path: string, name: string, heading: string) {
  for (const [look, options] of looks) {
    const { page } = await visit(server, { path, ...options });
    await page.getByRole("heading", { name: heading }).waitFor();
    await expectFits(page);
    await keepScreenshot(page, `${name}-${look}`);
    await page.close();
  }
}

test("[L6] a template is written, used with its variables in the composer, saved from a task, found with Ctrl+K, deleted and restored", async () => {
  const { page, complaints } = await visit(server, { path: "/automations/templates" });
  await page.getByText("No templates yet.").waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "New template" }).click();
  const dialog = page.getByRole("dialog", { name: "New template" });
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("Review");
  await dialog.getByRole("textbox", { name: "Prompt", exact: true }).fill("Look at {{file}} on {{branch}}");
  await dialog.getByRole("textbox", { name: "Title" }).fill("Review {{file}}");
  await dialog.getByRole("combobox", { name: "Permissions" }).click();
  await page.getByRole("option", { name: /^Plan/ }).click();
  await dialog.getByText("Variables: file, branch").waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "automations-template-dialog");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Review" }).waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "automations-templates");
  await keepLooks("/automations/templates", "automations-templates", "Review");

  await page.getByRole("button", { name: "Use Review for a new task" }).click();
  const composer = page.getByRole("dialog", { name: "New task" });
  await composer.getByRole("button", { name: "Template: Review" }).waitFor();
  await composer.getByRole("button", { name: "Create", exact: true }).click();
  await composer.getByText("Fill in the variables first: file, branch").waitFor();
  await composer.getByRole("textbox", { name: "file", exact: true }).fill("a.ts");
  await composer.getByRole("textbox", { name: "branch", exact: true }).fill("{{file}}");
  await expectAccessible(page);
  await keepScreenshot(page, "automations-composer");
  await composer.getByRole("button", { name: "Create and start" }).click();
  await page.waitForURL(/\/t\/tsk_/);
  await page.getByText("Look at a.ts on {{file}}").first().waitFor();
  expect(await page.getByRole("button", { name: "Review a.ts" }).count()).toBe(1);

  await page.getByRole("button", { name: "More" }).first().click();
  await page.getByRole("menuitem", { name: "Save as template…" }).click();
  const saving = page.getByRole("dialog", { name: "New template" });
  expect(await saving.getByRole("textbox", { name: "Prompt", exact: true }).inputValue()).toContain("Look at a.ts on {{file}}");
  await saving.getByRole("textbox", { name: "Name", exact: true }).fill("Again");
  await saving.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved: Again").waitFor();
  const list = () => server.api.request<Template[]>("GET", "/api/templates");
  const saved = await list();
  expect(saved.map(({ name, agent, permissionMode }) => [name, agent, permissionMode])).toEqual([
    ["Again", "native", "plan"],
    ["Review", null, "plan"],
  ]);

  await page.keyboard.press("Control+k");
  await page.keyboard.type("template again");
  await page.getByRole("option", { name: "New task from template: Again" }).click();
  await page.getByRole("dialog", { name: "New task" }).getByRole("button", { name: "Template: Again" }).waitFor();
  await page.keyboard.press("Escape");

  await page.goto(`${server.url}/automations/templates`);
  await page.getByRole("button", { name: "Delete Again" }).click();
  await page.getByText("Deleted: Again").waitFor();
  expect((await list()).map(({ name }) => name)).toEqual(["Review"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("heading", { name: "Again" }).waitFor();
  expect((await list()).map(({ id }) => id)).toEqual(saved.map(({ id }) => id));
  expect(complaints).toEqual([]);
});

test("[L6] a schedule is written with its next times, runs now, starts a task, is turned off and deleted", async () => {
  const { page, complaints } = await visit(server, { path: "/automations" });
  await page.getByText("No schedules yet.").waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "New schedule" }).click();
  const dialog = page.getByRole("dialog", { name: "New schedule" });
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("Nightly");
  const times = dialog.getByRole("textbox", { name: /^Times/ });
  await times.fill("61 * * * *");
  await dialog.getByText("is not a cron expression").waitFor();
  await dialog.getByRole("button", { name: "Weekdays at 09:00" }).click();
  expect(await times.inputValue()).toBe("0 9 * * 1-5");
  await dialog
    .getByRole("status")
    .getByText(/^Next: .*09:00/)
    .waitFor();
  await dialog.getByText("Start a task", { exact: true }).click();
  await dialog.getByRole("textbox", { name: "Prompt", exact: true }).fill("Report for {{date}}");
  await dialog.getByRole("combobox", { name: "Runs missed while the server was off" }).click();
  await page.getByRole("option", { name: "Run once for all of them" }).click();
  await expectAccessible(page);
  await keepScreenshot(page, "automations-schedule-dialog");
  await dialog.getByRole("button", { name: "Save" }).click();
  const row = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Nightly" }) });
  await row.getByText(/Weekdays at 09:00 .*next run/).waitFor();

  await row.getByRole("button", { name: "Run Nightly now" }).click();
  await row.getByRole("button", { name: /^Last run .*: started$/ }).click();
  const runs = row.getByRole("list", { name: "Runs" });
  await runs.getByRole("link", { name: "Open task" }).waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "automations-schedules");
  await keepLooks("/automations/schedules", "automations-schedules", "Nightly");
  await row.getByRole("button", { name: "Turn Nightly off" }).click();
  await row.getByText("Off", { exact: true }).waitFor();
  await row.getByRole("button", { name: "Edit Nightly" }).click();
  const editing = page.getByRole("dialog", { name: "Edit schedule" });
  expect(await editing.getByRole("textbox", { name: "Prompt", exact: true }).inputValue()).toBe("Report for {{date}}");
  await page.keyboard.press("Escape");
  await runs.getByRole("link", { name: "Open task" }).click();
  await page.waitForURL(/\/t\/tsk_/);
  await page
    .getByText(/Report for \d{4}-\d\d-\d\d/)
    .first()
    .waitFor();
  await page.goBack();
  await page.getByRole("button", { name: "Delete Nightly" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("No schedules yet.").waitFor();
  // the browser logs that the wrong expression was refused
  expect(complaints.filter((text) => !text.includes("422"))).toEqual([]);
});

test("[L6] a webhook is written, its secret shown once, a delivery starts a task, and the secret is replaced", async () => {
  const { page, complaints } = await visit(server, { path: "/automations/webhooks" });
  await page.getByText("No incoming webhooks yet.").waitFor();
  await page.getByRole("button", { name: "New webhook" }).click();
  const dialog = page.getByRole("dialog", { name: "New webhook" });
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("Issues");
  await dialog.getByText("Start a task", { exact: true }).click();
  await dialog.getByRole("textbox", { name: "Prompt", exact: true }).fill("Look at {{issue.title}}");
  await expectAccessible(page);
  await keepScreenshot(page, "automations-hook-dialog");
  await dialog.getByRole("button", { name: "Save" }).click();
  const shown = page.getByRole("dialog", { name: "Address and secret of Issues" });
  const codes = shown.locator("code");
  const secret = (await codes.nth(1).textContent()) ?? "";
  const address = (await codes.nth(0).textContent()) ?? "";
  expect([address, secret]).toEqual([expect.stringMatching(/\/api\/hooks\/hok_/), expect.stringMatching(/^skh_/)]);
  await expectAccessible(page);
  await keepScreenshot(page, "automations-hook-secret");
  await shown.getByRole("button", { name: "Done" }).click();
  const body = JSON.stringify({ issue: { title: "Crash on start" } });
  const deliver = (token: string) =>
    fetch(address, { method: "POST", headers: { "content-type": "application/json", "x-gitlab-token": token }, body });
  expect((await deliver(secret)).status).toBe(200);
  const row = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Issues" }) });
  await row.getByRole("button", { name: /^Last delivery .*: started$/ }).click();
  await row.getByRole("link", { name: "Open task" }).waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "automations-webhooks");
  await keepLooks("/automations/webhooks", "automations-webhooks", "Issues");
  await row.getByRole("button", { name: "New secret for Issues" }).click();
  await page.getByRole("dialog", { name: "New secret for Issues" }).getByRole("button", { name: "New secret" }).click();
  await shown.getByText(/^skh_/).waitFor();
  expect((await deliver(secret)).status).toBe(403);
  expect(await page.content()).not.toContain(secret);
  expect(complaints).toEqual([]);
});
