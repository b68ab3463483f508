import type { Settings } from "@skein/contracts";
import type { ForgeServer } from "@skein/testkit/forge-servers";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { newForge, newForgeTask, startForgeReadyServer } from "../support/forge-task.ts";
import type { RealServer } from "../support/real-server.ts";

let forge: ForgeServer;
let server: RealServer;

beforeAll(async () => {
  forge = await newForge("github", { keep: true });
  server = await startForgeReadyServer(forge, { keep: true });
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
  await forge.close();
});

const bar = (page: Page) => page.getByRole("region", { name: "Branch of the attempt" });
const line = (page: Page) => page.getByRole("region", { name: "Pull request", exact: true });
const wait = { timeout: 30_000 };

test("[G6, G7] pull request: opened in the page, a failing check is sent to the agent, fixed, pushed, and merged", async () => {
  const { task, ended, post } = await newForgeTask(server, forge, { title: "Add work by pull request" });
  const number = forge.world.pulls.length + 1;
  const { page, complaints } = await visit(server, { path: `/t/${task.id}?view=changes` });

  await bar(page).getByRole("button", { name: "Git actions" }).click();
  await page.getByRole("menuitem", { name: "Open pull request…" }).click();
  const dialog = page.getByRole("dialog", { name: "Open pull request" });
  const field = (name: string) => dialog.getByRole("textbox", { name, exact: true });
  await expect.poll(() => field("Title").inputValue(), wait).toBe("Add work by pull request");
  expect(await field("Description").inputValue()).toBe("## Summary\n\nI wrote `work.txt`.\n\n## Changes\n\n- `work.txt` (new)");
  expect(await field("Merge into").inputValue()).toBe("main");
  await dialog.getByText(`to acme/app on ${forge.host}, and asks to merge it into main.`).waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "pull-request-dialog");
  await field("Title").fill("Add work");
  await dialog.getByRole("button", { name: "Open pull request", exact: true }).click();
  await page.getByText(`Opened pull request #${number}`, { exact: true }).waitFor();
  await line(page).getByText("Open", { exact: true }).waitFor();
  expect(await line(page).getByRole("link").getAttribute("href")).toBe(`${forge.url}/acme/app/pull/${number}`);
  expect(forge.world.getPull(number)).toMatchObject({ title: "Add work", base: "main", draft: false });

  // edited: only what was changed is sent
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("edit pull request");
  await page.keyboard.press("Enter");
  const edit = page.getByRole("dialog", { name: `Edit pull request #${number}` });
  const description = edit.getByRole("textbox", { name: "Description", exact: true });
  await expect.poll(() => description.inputValue(), wait).toContain("I wrote `work.txt`.");
  forge.world.getPull(number).title = "Renamed on the forge";
  await description.fill("Adds work.");
  await edit.getByRole("button", { name: "Update", exact: true }).click();
  await page.getByText(`Updated pull request #${number}`, { exact: true }).waitFor(wait);
  expect(forge.world.getPull(number)).toMatchObject({ title: "Renamed on the forge", body: "Adds work." });

  // the check fails on the forge: the page follows by itself, and so does the card
  forge.world.setCheck(number, { name: "test", state: "failure", summary: "1 of 4 failed", log: "expected 2, got two\n" });
  forge.world.addReview(number, {
    author: "grace",
    state: "changes-requested",
    body: "",
    lines: [{ path: "work.txt", line: 2, body: "A digit." }],
  });
  const send = line(page).getByRole("button", { name: "Send 1 failing check and 1 comment to the agent" });
  await send.waitFor(wait);
  await line(page).getByText("1 of 1 check failed").waitFor();
  await line(page).getByText("Changes requested").waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "pull-request-failing");
  const board = await visit(server, { path: `/p/${task.projectId}` });
  await board.page.locator(`[data-task-id="${task.id}"]`).getByText("checks failed").waitFor(wait);
  await keepScreenshot(board.page, "pull-request-card");
  await send.click();
  await page.getByText("Sent to the agent", { exact: true }).waitFor();
  await send.waitFor({ state: "detached" });
  await ended(2);
  await page.getByText("Fixed the number.").first().waitFor(wait);

  // committed and pushed to the same pull request
  await bar(page).getByRole("button", { name: "Commit…" }).click();
  const commit = page.getByRole("dialog", { name: "Commit changes" });
  await commit.getByText("1 of 1 file", { exact: true }).waitFor(wait);
  await commit.getByRole("button", { name: "Commit", exact: true }).click();
  await line(page).getByRole("button", { name: "Update pull request" }).click(wait);
  await page.getByText(`Pushed to #${number}`, { exact: true }).waitFor(wait);
  expect(forge.world.git("show", `${forge.world.getPull(number).head}:work.txt`)).toBe("one\n2");
  forge.world.setCheck(number, { name: "test", state: "success" });
  await line(page).getByText("1 check passed").waitFor(wait);

  forge.world.merge(number);
  await line(page).getByText("Merged", { exact: true }).waitFor(wait);
  await expect.poll(async () => (await server.api.getTask(task.id)).status, wait).toBe("done");
  await expect.poll(() => board.page.locator(`[data-task-id="${task.id}"]`).innerText(), wait).toContain(`Merged #${number}`);
  expect(forge.violations).toEqual([]);
  expect([...complaints, ...board.complaints]).toEqual([]);
  await expect(post("pull-request/feedback", { id: "late" })).rejects.toMatchObject({ problem: { code: "pull-request-closed" } });
});

test("[E12, G7] inbox: failed checks are dismissed, put back, opened and sent to the agent by keyboard", async () => {
  const { task, attempt, ended, post } = await newForgeTask(server, forge, { title: "Keep the checks green" });
  await post("pull-request");
  const number = forge.world.pulls.length;
  // the finished work is an item of its own
  await server.api.request("PATCH", `/api/inbox/${(await server.api.executions(attempt.id))[0]?.id}`, { cleared: true });
  const { page, complaints } = await visit(server, { path: "/inbox" });
  const narrow = await visit(server, { path: "/inbox", viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  const card = page.getByRole("region", { name: `Feedback on pull request #${number}` });
  const entry = page.locator(`[data-inbox="${attempt.id}"]`);
  forge.world.setCheck(number, { name: "test", state: "failure", log: "expected 2, got two\n" });
  forge.world.setCheck(number, { name: "lint", state: "failure" });
  forge.world.addReview(number, { author: "grace", state: "changes-requested", body: "A digit." });
  await card.getByText(`Checks of #${number} failed: test, lint`, { exact: true }).waitFor(wait);
  await card.getByText(`Changes to #${number} requested by grace`, { exact: true }).waitFor(wait);
  await page.getByText("1 pull request with feedback", { exact: true }).waitFor();
  expect(await card.getByRole("link", { name: `View #${number}` }).getAttribute("href")).toBe(`${forge.url}/acme/app/pull/${number}`);
  await expectAccessible(page);
  await keepScreenshot(page, "inbox-feedback");
  await narrow.page.getByText(`Checks of #${number} failed: test, lint`, { exact: true }).waitFor(wait);
  await expectFits(narrow.page);
  await expectAccessible(narrow.page);
  await keepScreenshot(narrow.page, "inbox-feedback-narrow");

  await entry.focus();
  await page.keyboard.press("e");
  await card.waitFor({ state: "detached" });
  await page.getByText("Dismissed: Keep the checks green").waitFor();
  await page.keyboard.press("Control+z");
  await card.waitFor();

  // opened, where the pull request is: it leaves the inbox, and is put back
  await entry.focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(new RegExp(`/t/${task.id}\\?.*view=changes`));
  await line(page).getByRole("button", { name: "Send 2 failing checks and 1 comment to the agent" }).waitFor(wait);
  await narrow.page.getByText(`Checks of #${number} failed: test, lint`, { exact: true }).waitFor({ state: "detached", ...wait });
  await page.goBack();
  await page.getByRole("button", { name: "Put back" }).click(wait);
  await card.waitFor();

  await entry.focus();
  await page.keyboard.press("s");
  await page.getByText("Sent to the agent", { exact: true }).waitFor(wait);
  await card.waitFor({ state: "detached", ...wait });
  await ended(2);
  forge.world.merge(number);
  await expect.poll(async () => (await server.api.getTask(task.id)).status, wait).toBe("done");
  expect([...complaints, ...narrow.complaints]).toEqual([]);
});

test("[G6] pull request: without a token the dialog explains how to add one, and continues with it; a failure keeps what was typed", async () => {
  await server.api.request("DELETE", `/api/settings/forges/${forge.host}`);
  const { task } = await newForgeTask(server, forge, { title: "Another change" });
  const { page, complaints } = await visit(server, {
    path: `/t/${task.id}?view=changes`,
    viewport: { width: 360, height: 740 },
    hasTouch: true,
  });
  await bar(page).getByRole("button", { name: "Git actions" }).click(wait);
  await page.getByRole("menuitem", { name: "Open pull request…" }).click();
  const dialog = page.getByRole("dialog", { name: "Open pull request" });
  await dialog.getByText(`There is no token for ${forge.host}.`).waitFor(wait);
  await dialog.getByText(`gh auth login --hostname ${forge.host}`).waitFor();
  await expectFits(page);
  await expectAccessible(page);
  await keepScreenshot(page, "pull-request-no-token-narrow");
  await dialog.getByLabel("Token", { exact: true }).fill(forge.token);
  await dialog.getByRole("button", { name: "Save token" }).click();
  const title = dialog.getByRole("textbox", { name: "Title", exact: true });
  await title.waitFor(wait);
  await title.fill("My title");
  await dialog.getByRole("checkbox", { name: /^Draft/ }).check();
  forge.failNext({ status: 403, body: { message: "Resource not accessible by personal access token" }, matches: /^POST .*pulls$/ });
  await dialog.getByRole("button", { name: "Open pull request", exact: true }).click();
  await dialog.getByRole("alert").getByText("Resource not accessible by personal access token").waitFor(wait);
  expect(await title.inputValue()).toBe("My title");
  await expectFits(page);
  await keepScreenshot(page, "pull-request-refused-narrow");
  await dialog.getByRole("button", { name: "Open pull request", exact: true }).click();
  await line(page).getByText("Draft", { exact: true }).waitFor(wait);
  await expectFits(page);
  await keepScreenshot(page, "pull-request-narrow");

  // closed by somebody else
  forge.world.close(forge.world.pulls.length);
  await line(page).getByText("Closed", { exact: true }).waitFor(wait);
  // the browser's own line about the refused request
  expect(complaints).toEqual([expect.stringContaining("403 (Forbidden)")]);
});

test("[G6, X11] settings: a host and its token are added, the token is never shown again and can be removed; rounds are saved", async () => {
  const { page, complaints } = await visit(server, { path: "/settings/forges" });
  const add = page.getByRole("form", { name: "Add a host" });
  await add.getByRole("textbox", { name: "Host", exact: true }).fill("git.example.com");
  await add.getByLabel("Token", { exact: true }).fill("glpat-secret-0123456789");
  await add.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved the token for git.example.com").waitFor(wait);
  const token = page.getByLabel("Token for git.example.com", { exact: true });
  await token.waitFor(wait);
  expect(await token.inputValue()).toBe("");
  await expectAccessible(page);
  await keepScreenshot(page, "settings-forges");
  await page.setViewportSize({ width: 360, height: 740 });
  await expectFits(page);
  const rounds = page.getByRole("textbox", { name: "Automatic rounds of feedback", exact: true });
  await rounds.fill("3");
  await rounds.press("Enter");
  await page.getByText("Saved", { exact: true }).waitFor(wait);
  const settings = await server.api.request<Settings>("GET", "/api/settings");
  expect(settings).toMatchObject({ general: { pullRequestRounds: 3 } });
  expect(settings.forges).toContainEqual({ host: "git.example.com", kind: "gitlab", source: "settings", isSet: true });
  expect(JSON.stringify(settings)).not.toContain("glpat-secret");
  await server.api.request("PATCH", "/api/settings/general", { pullRequestRounds: 0 });
  await page.getByRole("button", { name: "Remove the token for git.example.com" }).click();
  await page.getByText("Removed the token for git.example.com").waitFor(wait);
  expect(complaints).toEqual([]);
});
