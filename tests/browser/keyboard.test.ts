import type { Task } from "@skein/contracts";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { closeBrowser, visit } from "../support/browser.ts";
import { startRealServer } from "../support/real-server.ts";
import { git, newRepository } from "../support/repository.ts";
import { bash, bashUntilGo, newScriptedModel } from "../support/scripts.ts";

afterAll(closeBrowser);

/** A question can be answered only after it has been visible for 400 ms. */
const visibleMs = 600;

/** What has the focus: its name, or its text. */
const focused = (page: Page) =>
  page.evaluate<string>(`(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return "nothing";
    return (element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent ?? "").trim();
  })()`);

/** Tab, or Shift+Tab, until something with this name has the focus. */
async function tabTo(page: Page, name: RegExp, { key = "Tab", atMost = 40 } = {}): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < atMost; step++) {
    const now = await focused(page);
    if (name.test(now)) return;
    passed.push(now.slice(0, 40));
    await page.keyboard.press(key);
  }
  throw new Error(`${name} was not reached with ${key}: ${passed.join(" | ")}`);
}

/** The first screen: types the path into the field that has the focus, and waits for the prompt. */
async function chooseRepository(page: Page, path: string): Promise<void> {
  await page.getByRole("combobox", { name: "Path of a git repository" }).waitFor();
  await page.keyboard.type(path);
  await page.getByRole("option", { name: /atlas/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "What should be done?" }).waitFor();
}

test("[E2, E8, E10] a day by keyboard alone: first run, answers, queue, stop, resume, changes, compare, search, settings, archive", async () => {
  const server = await startRealServer();
  const repository = newRepository("atlas");
  const model = newScriptedModel([
    { text: "First.", toolCalls: [bash("echo one > one.txt")] },
    { text: "Second.", toolCalls: [bash("echo two > two.txt")] },
    { text: "Third.", toolCalls: [bashUntilGo] },
  ]);
  await server.api.request("PATCH", "/api/settings/defaults", { agent: "native", model });
  const { page, complaints } = await visit(server);
  const { keyboard } = page;

  // first run: the path, then the prompt, each in the field that has the focus
  await chooseRepository(page, repository);
  await keyboard.type("Write the files");
  await tabTo(page, /^Accept edits/);
  await keyboard.press("ArrowLeft");
  await tabTo(page, /^What should be done/, { key: "Shift+Tab" });
  await keyboard.press("Enter");
  await page.waitForURL(/\/t\/tsk_/);

  // one command is allowed, the next one denied with a reason
  const pending = page.locator("[data-approval-id]");
  await pending.getByText("echo one > one.txt").first().waitFor();
  await keyboard.press("Escape");
  await page.waitForTimeout(visibleMs);
  await keyboard.press("a");
  await pending.getByText("echo two > two.txt").first().waitFor();
  await page.waitForTimeout(visibleMs);
  await keyboard.press("d");
  await keyboard.type("Not that one");
  await keyboard.press("Enter");
  await pending.getByText("until [ -e go ]").first().waitFor();
  await page.waitForTimeout(visibleMs);
  await keyboard.press("a");
  await page.locator('article[data-tool="bash"][data-state="running"]').waitFor();

  // a message is queued, the agent is stopped, and the queue resumed
  await keyboard.press("m");
  await keyboard.type("Then this");
  await keyboard.press("Enter");
  await page.getByText("1 message queued").waitFor();
  await keyboard.press("Escape");
  await page.getByText("Queue paused").waitFor();
  await tabTo(page, /^Continue with the queue/, { key: "Shift+Tab" });
  await keyboard.press("Enter");
  await pending.getByText("echo one > one.txt").first().waitFor();
  await expect.poll(() => focused(page)).toBe("Message");
  await tabTo(page, /^Stop/);
  await keyboard.press("Enter");
  await page.getByText("Stopped.").nth(1).waitFor();
  await expect.poll(() => focused(page)).toBe("Message");

  // the changes
  await keyboard.press("Escape");
  await keyboard.press("d");
  await page.getByRole("tab", { name: "Changes", selected: true }).waitFor();
  await page.locator("article[data-file]").first().waitFor();
  await keyboard.press("d");

  // another attempt, and the comparison
  await keyboard.press("n");
  await page.getByRole("dialog").waitFor();
  await tabTo(page, /^Start attempt/);
  await keyboard.press("Enter");
  await pending.getByText("echo one > one.txt").first().waitFor();
  await keyboard.press("Escape");
  await keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search and commands" }).waitFor();
  await keyboard.type("compare");
  await page
    .getByRole("option", { name: /Compare/ })
    .first()
    .waitFor();
  await keyboard.press("Enter");
  await page.waitForURL(/\/compare/);
  await page.getByText("Commands run").waitFor();

  // search
  await keyboard.press("Control+k");
  await keyboard.type("Write the files");
  await page
    .getByRole("option", { name: /Write the files/ })
    .first()
    .waitFor();
  await keyboard.press("Enter");
  await page.waitForURL(/\/t\/tsk_\w+$/);

  // settings
  await keyboard.press("Escape");
  await keyboard.press(",");
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  await tabTo(page, /^Defaults/);
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: "Defaults" }).waitFor();

  // archive
  await keyboard.press("b");
  await page.locator("main [data-task-id]").waitFor();
  await keyboard.press("j");
  await keyboard.press("e");
  await page.locator("main [data-task-id]").waitFor({ state: "detached" });
  await keyboard.press("Control+z");
  await page.locator("main [data-task-id]").waitFor();
  const [task] = await server.api.request<Task[]>("GET", "/api/tasks");
  await server.api.stop(task?.id ?? "");
  expect(complaints).toEqual([]);
});

test("[E2, E10, G2, G4] the main story by keyboard alone: link, repository, prompt, start, approve, review, commit, land", async () => {
  const server = await startRealServer();
  const repository = newRepository("atlas");
  git(repository, "config", "user.name", "Ada");
  git(repository, "config", "user.email", "ada@example.invalid");
  // each execution does the same
  const model = newScriptedModel([
    { text: "I write the notes.", toolCalls: [{ name: "write", arguments: { path: "notes.txt", content: "one\ntwo\n" } }] },
    { text: "Now a check.", toolCalls: [bash("cat notes.txt")] },
    { text: "The notes are written." },
  ]);
  await server.api.request("PATCH", "/api/settings/defaults", { agent: "native", model });
  const { page, complaints } = await visit(server);
  const { keyboard } = page;

  // the link is open: the path and the prompt, each in the field that has the focus, then Enter
  await chooseRepository(page, repository);
  await keyboard.type("Write notes");
  await keyboard.press("Enter");
  await page.waitForURL(/\/t\/tsk_/);

  // the recommended mode accepts the edit; the command is approved in the inbox
  const pending = page.locator("[data-approval-id]");
  await pending.getByText("cat notes.txt").first().waitFor();
  await keyboard.press("Escape");
  await keyboard.press("i");
  await page.waitForURL(/\/inbox$/);
  await pending.getByText("cat notes.txt").first().waitFor();
  await page.waitForTimeout(visibleMs);
  await keyboard.press("a");
  await page
    .getByRole("link", { name: /Write notes/ })
    .first()
    .waitFor();
  await expect.poll(() => pending.count()).toBe(0);

  // work that has ended is opened from the inbox, by the link that has the focus in turn
  await page.locator("[data-inbox-item]").getByText("The notes are written.").waitFor();
  await tabTo(page, /^Review/);
  await keyboard.press("Enter");
  await page.waitForURL(/\/t\/tsk_/);

  // review: a comment on the second line is sent to the agent, which asks again, here on the page of the task
  await keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search and commands" }).waitFor();
  await keyboard.type("changes");
  await page
    .getByRole("option", { name: /Changes/ })
    .first()
    .waitFor();
  await keyboard.press("Enter");
  const file = page.locator('article[data-file="notes.txt"]');
  await file.locator("tr[data-new='2']").waitFor();
  await tabTo(page, /^notes\.txt/, { atMost: 80 });
  await keyboard.press("j");
  await keyboard.press("ArrowDown");
  await keyboard.press("c");
  await expect.poll(() => focused(page)).toBe("Comment on line 2");
  await keyboard.type("Three, please.");
  await keyboard.press("Control+Enter");
  await file.locator("[data-comment=draft]").waitFor();
  await tabTo(page, /^Send review/, { key: "Shift+Tab" });
  await keyboard.press("Enter");
  await page.getByText("Review sent with 1 comment.").waitFor();
  await pending.getByText("cat notes.txt").first().waitFor();
  await page.waitForTimeout(visibleMs);
  await keyboard.press("a");
  await expect.poll(() => page.getByText("The notes are written.").count()).toBe(2);
  await expect.poll(() => page.getByRole("button", { name: "Stop" }).count()).toBe(0);

  // commit and land, by name, with the key of each dialog
  const command = async (name: string, dialog: string) => {
    await keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search and commands" }).waitFor();
    await keyboard.type(name);
    await page
      .getByRole("option", { name: new RegExp(name, "i") })
      .first()
      .waitFor();
    await keyboard.press("Enter");
    await page.getByRole("dialog", { name: dialog }).waitFor();
  };
  await command("commit changes", "Commit changes");
  await expect.poll(() => focused(page)).toBe("Message");
  await page.getByText("1 of 1 file", { exact: true }).waitFor();
  await keyboard.press("Control+Enter");
  await page.getByText("Committed 1 file", { exact: true }).waitFor();
  await command("land", "Land on main");
  await keyboard.press("Control+Enter");
  await page
    .getByText(/Landed on main/)
    .first()
    .waitFor();
  expect(git(repository, "show", "main:notes.txt")).toBe("one\ntwo\n");
  expect(complaints).toEqual([]);
});
