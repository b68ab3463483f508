import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GitState } from "@skein/contracts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { git, newRepository } from "../support/repository.ts";
import { bash, newScriptedModel } from "../support/scripts.ts";

let server: RealServer;

beforeAll(async () => {
  server = await startRealServer({ keep: true });
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

/** An attempt whose scripted agent has written two files. */
async function newWork(title: string) {
  const { api } = server;
  const repository = newRepository("atlas");
  git(repository, "config", "user.name", "Ada");
  git(repository, "config", "user.email", "ada@example.invalid");
  const task = await api.createTask((await api.createProject(repository)).id, title);
  const script = "printf 'one\\ntwo\\n' > work.txt; printf 'export const hello = 1;\\n' > hello.js";
  const model = newScriptedModel([{ toolCalls: [bash(script)] }, { text: "Done." }]);
  const attempt = await api.createAttempt(task.id, { model, permissionMode: "full" });
  await api.send(task.id, "Work");
  const statuses = async () => (await api.executions(attempt.id)).map(({ status }) => status);
  await expect.poll(statuses, { timeout: 60_000 }).toEqual(["success"]);
  const path = `/api/attempts/${attempt.id}`;
  return {
    ...{ repository, task, directory: attempt.directory },
    state: () => api.request<GitState>("GET", `${path}/git`),
    post: (part: string, body: object = {}) => api.request("POST", `${path}/${part}`, body),
    subjects: () => git(repository, "log", "--format=%s").trim().split("\n"),
    log: () => git(attempt.directory, "log", "--format=%s").trim().split("\n"),
  };
}

const bar = (page: Page) => page.getByRole("region", { name: "Branch of the attempt" });
const facts = async (page: Page) => (await bar(page).locator("[data-git-facts]").innerText()).trim();

/** Answers for the bar take a second, as from a busy machine: what the bar shows when an operation is reported is not luck. */
async function delayState(page: Page): Promise<void> {
  await page.route("**/api/attempts/*/git", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await route.continue();
  });
}

test("[G2, G4, G5] landing: the user commits a file, then the rest, lands, and undoes it", async () => {
  const { repository, task, directory, state, subjects, log } = await newWork("Add work that lands");
  const { page, complaints } = await visit(server, {
    path: `/t/${task.id}?view=changes`,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await expect.poll(() => facts(page)).toBe("2 uncommitted");
  await expectAccessible(page);
  await keepScreenshot(page, "git-bar");

  await bar(page).getByRole("button", { name: "Commit…" }).click();
  const commit = page.getByRole("dialog", { name: "Commit changes" });
  await expect.poll(() => commit.getByRole("textbox", { name: "Message", exact: true }).inputValue()).toBe("Add work that lands");
  await commit.getByRole("checkbox", { name: "Commit hello.js" }).uncheck();
  await commit.getByText("1 of 2 files").waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "git-commit");
  await commit.getByRole("textbox", { name: "Message", exact: true }).fill("Add a text");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Committed 1 file", { exact: true }).waitFor();
  await expect.poll(() => facts(page)).toBe("1 ahead · 1 uncommitted");
  expect(await state()).toMatchObject({ dirty: { paths: ["hello.js"] }, ahead: 1 });

  // by the palette, with the task's title
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("commit changes");
  await page.keyboard.press("Enter");
  await commit.getByText("1 of 1 file", { exact: true }).waitFor();
  await commit.getByRole("button", { name: "Commit", exact: true }).click();
  await expect.poll(() => facts(page)).toBe("2 ahead");
  expect(log()).toEqual(["Add work that lands", "Add a text", "first"]);

  // what cannot be done says why, with a command to copy where one helps
  await bar(page).getByRole("button", { name: "Git actions" }).click();
  const push = page.getByRole("menuitem", { name: "Push the branch" });
  expect(await push.innerText()).toContain("git remote add");
  expect(await page.getByRole("menuitem", { name: /^Commit…/ }).getAttribute("aria-disabled")).toBe("true");
  await expectAccessible(page);
  await keepScreenshot(page, "git-menu");
  await push.click();
  await page.getByRole("alert").getByText("git remote add").waitFor();
  await page.getByRole("button", { name: "Copy command" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(`git -C ${directory} remote add origin <address>`);
  await expectAccessible(page);
  await keepScreenshot(page, "git-refused");
  await page.getByRole("tabpanel", { name: "Changes" }).getByRole("button", { name: "Close", exact: true }).click();

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("push branch");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("git remote add").waitFor();

  await bar(page).getByRole("button", { name: "Land…" }).click();
  await page.getByRole("alert").waitFor({ state: "detached" });
  const land = page.getByRole("dialog", { name: "Land on main" });
  await land.getByText("Your checkout has main checked out: its files change, too.").waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "git-land");
  writeFileSync(join(repository, "mine.txt"), "mine\n");
  await land.getByRole("button", { name: "Land", exact: true }).click();
  await land.getByRole("alert").getByText("has uncommitted changes").waitFor();
  await land.getByText(`git -C ${repository} stash -u`, { exact: true }).waitFor();
  await land.getByRole("button", { name: "Copy command" }).waitFor();
  await expectAccessible(page);
  rmSync(join(repository, "mine.txt"));
  await delayState(page);
  await land.getByRole("button", { name: "Land", exact: true }).click();
  await page.getByRole("button", { name: "Undo", exact: true }).waitFor();
  expect(await facts(page), "the bar is as current as the report").toContain("Landed on main");
  expect(subjects()).toEqual(["Add work that lands", "first"]);
  expect(readFileSync(join(repository, "work.txt"), "utf8")).toBe("one\ntwo\n");
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.getByText("The landing on main was undone").waitFor();
  expect(await facts(page)).toBe("2 ahead");
  expect(subjects()).toEqual(["first"]);
  // the landing that was refused
  expect(complaints).toEqual([expect.stringContaining("409 (Conflict)")]);
});

test("[G4] landing: a conflict is resolved with theirs, finished, and the files of before are a safety copy", async () => {
  const { repository, task, directory, state, post } = await newWork("Say hello");
  await post("commit", { message: "Say hello" });
  writeFileSync(join(repository, "hello.js"), "export const hello = 2;\n");
  git(repository, "add", "--all");
  git(repository, "commit", "--quiet", "--message", "Another hello");

  const { page, complaints } = await visit(server, {
    path: `/t/${task.id}?view=changes`,
    viewport: { width: 360, height: 740 },
    hasTouch: true,
  });
  await expect.poll(() => facts(page)).toBe("1 ahead · 1 behind");
  await expectFits(page);
  await keepScreenshot(page, "git-bar-narrow");
  await bar(page).getByRole("button", { name: "Update" }).click();

  const dialog = page.getByRole("dialog", { name: "Resolve conflicts" });
  await dialog.getByText("The attempt's commits are being applied to main.").waitFor();
  expect(await dialog.getByRole("button", { name: "Finish" }).isDisabled()).toBe(true);
  const sides = dialog.locator("figure");
  await expect
    .poll(() => sides.allInnerTexts())
    .toEqual([
      expect.stringContaining("export const hello = 2;"),
      expect.stringContaining("export function hello(name)"),
      expect.stringContaining("export const hello = 1;"),
    ]);
  await sides.first().locator(".tok-keyword", { hasText: "export" }).waitFor();
  // one side at a time where there is no room for three
  expect(await sides.nth(2).isVisible()).toBe(false);
  await dialog.getByText("Theirs", { exact: true }).first().tap();
  await sides.nth(2).waitFor();
  expect(await sides.nth(0).isVisible()).toBe(false);
  await expectFits(page);
  await expectAccessible(page);
  await keepScreenshot(page, "git-conflict-narrow");
  await page.setViewportSize({ width: 1280, height: 800 });
  await keepScreenshot(page, "git-conflict");

  // left and found again
  await page.keyboard.press("Escape");
  await expect.poll(() => facts(page)).toBe("In conflict: 1 of 1 file");
  await bar(page).getByRole("button", { name: "Resolve…" }).click();
  await dialog.getByRole("button", { name: "Use theirs (this attempt): hello.js" }).click();
  await dialog.getByText("Resolved", { exact: true }).waitFor();
  await dialog.getByRole("button", { name: "Finish" }).click();
  await page.getByText("The update is finished").waitFor();
  await expect.poll(() => facts(page)).toBe("1 ahead");
  expect(await state()).toMatchObject({ conflict: null, ahead: 1, behind: 0 });
  expect(readFileSync(join(directory, "hello.js"), "utf8")).toBe("export const hello = 1;\n");

  await bar(page).getByRole("button", { name: "Git actions" }).click();
  await page.getByRole("menuitem", { name: "Safety copies…" }).click();
  const copies = page.getByRole("dialog", { name: "Safety copies" });
  await copies.getByText("Before an update", { exact: true }).first().waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "git-safety-copies");
  writeFileSync(join(directory, "hello.js"), "export const hello = 9;\n");
  await copies
    .getByRole("button", { name: /^Restore: Before an update,/ })
    .last()
    .click();
  await page.getByText("Restored 1 file", { exact: true }).waitFor();
  expect(readFileSync(join(directory, "hello.js"), "utf8")).toBe("export const hello = 1;\n");
  expect(complaints).toEqual([]);
});

test("[G4] landing: the menu merges the base branch instead, and says before what each way does", async () => {
  const { repository, task, directory, post } = await newWork("Merge the base");
  await post("commit", { message: "Add work" });
  writeFileSync(join(repository, "other.txt"), "other\n");
  git(repository, "add", "--all");
  git(repository, "commit", "--quiet", "--message", "Another file");

  const { page, complaints } = await visit(server, { path: `/t/${task.id}?view=changes` });
  await expect.poll(() => facts(page)).toBe("1 ahead · 1 behind");
  expect(await bar(page).getByRole("button", { name: "Update" }).getAttribute("title")).toContain("on top of 1 new commit of main");
  await bar(page).getByRole("button", { name: "Git actions" }).click();
  await page
    .getByRole("menuitem", { name: /^Rebase onto main/ })
    .getByText("Its id changes.")
    .waitFor();
  const merge = page.getByRole("menuitem", { name: /^Merge main into this branch/ });
  expect(await merge.innerText()).toContain("Adds a merge commit with 1 new commit of main.");
  await expectAccessible(page);
  await keepScreenshot(page, "git-update-menu");
  await merge.click();
  await page.getByText("Merged main into this branch", { exact: true }).waitFor();
  await expect.poll(() => facts(page)).toBe("2 ahead");
  const parents = git(directory, "log", "-1", "--format=%P").trim().split(" ");
  expect(parents).toHaveLength(2);
  expect(readFileSync(join(directory, "other.txt"), "utf8")).toBe("other\n");
  expect(complaints).toEqual([]);
});

const numbers = (changes: Record<number, string> = {}) =>
  Array.from({ length: 60 }, (_, index) => `${changes[index + 1] ?? `line ${index + 1}`}\n`).join("");

test("[G4] landing: conflicts are resolved by editing, also across a reload and a killed server; a binary and a deleted file by a side", async () => {
  const { repository, task, directory, state, post } = await newWork("Resolve what both sides changed");
  const long = "a folder with a long name/and another one/that holds a file with a very long name indeed.txt";
  mkdirSync(join(repository, long, ".."), { recursive: true });
  const put = (root: string, files: Record<string, string | Buffer>) => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(root, path, ".."), { recursive: true });
      writeFileSync(join(root, path), content);
    }
  };
  const image = (value: number) => Buffer.from([0x89, 0x50, 0, value]);
  const commit = (root: string, message: string) => {
    git(root, "add", "--all");
    git(root, "commit", "--quiet", "--message", message);
  };
  put(repository, { [long]: numbers(), "logo.bin": image(1), "gone.txt": "old\n" });
  commit(repository, "Base");
  await post("commit", { message: "Work" });
  await post("update");
  put(directory, { [long]: numbers({ 5: "five, mine", 50: "fifty, mine" }), "logo.bin": image(2), "gone.txt": "mine\n" });
  await post("commit", { message: "Mine" });
  put(repository, { [long]: numbers({ 5: "five, theirs", 50: "fifty, theirs" }), "logo.bin": image(3) });
  rmSync(join(repository, "gone.txt"));
  commit(repository, "Theirs");

  const path = `/t/${task.id}?view=changes`;
  const { page } = await visit(server, { path });
  await expect.poll(() => facts(page)).toContain("1 behind");
  await bar(page).getByRole("button", { name: "Git actions" }).click();
  await page.getByRole("menuitem", { name: /^Merge main into this branch/ }).click();
  const dialog = page.getByRole("dialog", { name: "Resolve conflicts" });
  await dialog.getByText("main is being merged into the attempt.").waitFor();
  const file = (name: string) => dialog.locator(`li[data-conflict=${JSON.stringify(name)}]`);
  await file("logo.bin").getByRole("button", { name: "Show the sides of logo.bin" }).click();
  await file("logo.bin").getByText("A binary file cannot be edited here.").waitFor();

  // by keyboard: one conflict by a button, then the text itself
  await file(long)
    .getByRole("button", { name: `Show the sides of ${long}` })
    .focus();
  await page.keyboard.press("Enter");
  const result = dialog.getByRole("textbox", { name: `Result: ${long}`, exact: true });
  await file(long).getByText("Conflict 1 of 2").waitFor();
  const save = file(long).getByRole("button", { name: /^Save as resolved/ });
  expect(await save.isDisabled()).toBe(true);
  await result.focus();
  await page.keyboard.press("Alt+ArrowDown");
  await file(long).getByText("Conflict 2 of 2").waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "git-conflict-edit");
  await file(long).getByRole("button", { name: "Both", exact: true }).click();
  await file(long).getByText("Conflict 1 of 1").waitFor();
  expect(await result.inputValue()).toContain("fifty, mine\nfifty, theirs\n");

  // nothing is lost by a reload or a killed server
  await server.kill();
  await server.start();
  await page.reload();
  await expect.poll(() => facts(page)).toBe("In conflict: 3 of 3 files");
  await bar(page).getByRole("button", { name: "Resolve…" }).click();
  await file(long)
    .getByRole("button", { name: `Show the sides of ${long}` })
    .click();
  await expect.poll(() => result.inputValue()).toContain("fifty, mine\nfifty, theirs\n");
  const resolved = numbers({ 5: "five, both", 50: "fifty, mine\nfifty, theirs" });
  await result.fill(resolved);
  await save.waitFor();

  // the file changed in the folder since: nothing is overwritten
  const marked = readFileSync(join(directory, long), "utf8");
  writeFileSync(join(directory, long), `${marked}last\n`);
  await save.click();
  await dialog.getByRole("alert").getByText("has changed since you selected it").waitFor();
  expect(readFileSync(join(directory, long), "utf8")).toBe(`${marked}last\n`);
  writeFileSync(join(directory, long), marked);
  await result.press("Control+Enter");
  await file(long).getByText("Resolved", { exact: true }).waitFor();
  expect(readFileSync(join(directory, long), "utf8")).toBe(resolved);

  await file("logo.bin").getByRole("button", { name: "Use theirs (main): logo.bin" }).click();
  await file("logo.bin").getByText("Resolved", { exact: true }).waitFor();
  await file("gone.txt").getByRole("button", { name: "Delete as theirs (main): gone.txt" }).click();
  await file("gone.txt").getByText("Resolved", { exact: true }).waitFor();
  expect(await page.evaluate("document.activeElement?.closest('li')?.dataset.conflict")).toBe("gone.txt");
  expect(existsSync(join(directory, "gone.txt"))).toBe(false);

  for (const [name, options] of Object.entries({
    dark: { colorScheme: "dark" as const },
    narrow: { viewport: { width: 360, height: 740 }, hasTouch: true, locale: "zh-CN" },
  })) {
    const other = await visit(server, { path, ...options });
    const resolve = other.page.getByRole("button", { name: /^(Resolve|解决冲突)…/ });
    await resolve.click();
    await other.page.getByRole("button", { name: new RegExp(`(Show the sides of|查看) ${long}`) }).click();
    await other.page.getByRole("textbox", { name: new RegExp(`^(Result|结果)[:：] ?${long}`) }).waitFor();
    await expectAccessible(other.page);
    if (name === "narrow") await expectFits(other.page);
    await keepScreenshot(other.page, `git-conflict-files-${name}`);
  }

  await dialog.getByRole("button", { name: "Finish" }).click();
  await page.getByText("The update is finished").waitFor();
  expect(await state()).toMatchObject({ conflict: null, behind: 0, dirty: { files: 0 } });
  expect(readFileSync(join(directory, "logo.bin"))).toEqual(image(3));
});
