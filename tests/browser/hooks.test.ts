import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GitHooks } from "@skein/contracts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { git, newFolder, newRepository } from "../support/repository.ts";
import { bash, newScriptedModel } from "../support/scripts.ts";

let server: RealServer;
beforeAll(async () => {
  server = await startRealServer({ keep: true });
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

/** An attempt with a file that its hook refuses. The agent removes the file with its first answer. */
async function newHookedWork(hook: "pre-commit" | "pre-push") {
  const { api } = server;
  const repository = newRepository("hooked");
  git(repository, "config", "user.name", "Ada");
  git(repository, "config", "user.email", "ada@example.invalid");
  const remote = newFolder("remote");
  git(remote, "init", "--quiet", "--bare");
  git(repository, "remote", "add", "origin", remote);
  mkdirSync(join(repository, ".git/hooks"), { recursive: true });
  const text =
    "#!/bin/sh\necho 'checking the files'\ntest ! -e bad.txt || { printf '\\033[31mbad.txt is not allowed\\033[0m\\n'; exit 1; }\n";
  writeFileSync(join(repository, ".git/hooks", hook), text, { mode: 0o755 });
  const project = await api.createProject(repository);
  const task = await api.createTask(project.id, "Add a file");
  const model = newScriptedModel([{ toolCalls: [bash("rm bad.txt")] }, { text: "Removed it." }]);
  const attempt = await api.createAttempt(task.id, { model, permissionMode: "full" });
  for (const name of ["good.txt", "bad.txt"]) writeFileSync(join(attempt.directory, name), `${name}\n`);
  const path = `/api/projects/${project.id}/hooks`;
  return {
    ...{ api, task, attempt, remote },
    async trust() {
      const { hash } = await api.request<GitHooks>("GET", path);
      await api.request("POST", `${path}/trust`, { hash });
    },
    isTrusted: async () => (await api.request<GitHooks>("GET", path)).trust === "trusted",
    log: () => git(attempt.directory, "log", "--format=%s").trim().split("\n"),
  };
}

const bar = (page: Page) => page.getByRole("region", { name: "Branch of the attempt" });

test("[G2, X8] hooks are reviewed in the commit dialog; one that refuses is shown with its output, which the agent gets with one click", async () => {
  const { api, task, attempt, isTrusted, log } = await newHookedWork("pre-commit");
  const { page, complaints } = await visit(server, { path: `/t/${task.id}?view=changes` });
  await bar(page).getByRole("button", { name: "Commit…" }).click();
  const dialog = page.getByRole("dialog", { name: "Commit changes" });
  await dialog.getByText("The repository has hooks that you have not trusted. They will not run.").waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "hooks-not-trusted");

  // by the keyboard
  await dialog.getByRole("button", { name: "Review" }).focus();
  await page.keyboard.press("Enter");
  const review = page.getByRole("dialog", { name: "Git hooks of this repository" });
  await review.getByText("checking the files").waitFor();
  await review.getByRole("button", { name: "Trust" }).click();
  await review.getByRole("button", { name: "Revoke" }).waitFor();
  expect(await isTrusted()).toBe(true);
  await page.keyboard.press("Escape");
  await review.waitFor({ state: "detached" });
  await dialog.getByText("The pre-commit hook will run.").waitFor();

  await dialog.getByRole("textbox", { name: "Message", exact: true }).focus();
  await page.keyboard.press("Control+Enter");
  await dialog.getByRole("alert").getByText("The repository's pre-commit hook refused it, so nothing was changed.").waitFor();
  const output = dialog.getByRole("region", { name: "Output of the hook" });
  expect(await output.innerText()).toBe("checking the files\nbad.txt is not allowed");
  await dialog.getByText("Fix the problem and commit again, or let the agent fix it.").waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "hooks-refused");
  expect(log()).toEqual(["first"]);

  await dialog.getByRole("button", { name: "Let the agent fix it" }).click();
  await page.getByText("The agent was asked to fix it", { exact: true }).waitFor();
  await dialog.waitFor({ state: "detached" });
  const statuses = async () => (await api.executions(attempt.id)).map(({ status }) => status);
  await expect.poll(statuses, { timeout: 60_000 }).toEqual(["success"]);
  const sent = page.getByText("The repository's pre-commit hook refused the commit. Fix what it reports.").first();
  await sent.waitFor();
  await page.getByText("bad.txt is not allowed").first().waitFor();

  await bar(page).getByRole("button", { name: "Commit…" }).click();
  await dialog.getByText("1 of 1 file", { exact: true }).waitFor();
  await dialog.getByRole("button", { name: "Commit", exact: true }).click();
  await page.getByText("Committed 1 file", { exact: true }).waitFor();
  expect(log()).toEqual(["Add a file", "first"]);
  const card = page.getByRole("button", { name: "Hooks ran with the commit" });
  expect(await card.getAttribute("aria-expanded")).toBe("false");
  await card.press("Enter");
  expect(await page.getByRole("region", { name: "Output of the hook" }).innerText()).toBe("checking the files");
  await expectAccessible(page);
  await keepScreenshot(page, "hooks-ran");
  // the commit that was refused
  expect(complaints).toEqual([expect.stringContaining("409 (Conflict)")]);
});

test("[G2, G6] a push that its hook refuses shows the output, then succeeds; in Chinese, on a narrow screen", async () => {
  const { task, attempt, remote, trust, api } = await newHookedWork("pre-push");
  await api.request("POST", `/api/attempts/${attempt.id}/commit`, { message: "Add files" });
  await trust();
  const { page } = await visit(server, {
    path: `/t/${task.id}?view=changes`,
    locale: "zh-CN",
    viewport: { width: 360, height: 740 },
    hasTouch: true,
  });
  const region = page.getByRole("region", { name: "尝试的分支" });
  const push = async () => {
    await region.getByRole("button", { name: "Git 操作" }).click();
    const entry = page.getByRole("menuitem", { name: /^推送分支/ });
    await entry.getByText("将运行钩子：pre-push。").waitFor();
    await entry.click();
  };
  await push();
  await page.getByRole("alert").getByText("仓库的 pre-push 钩子拒绝了此操作").waitFor();
  expect(await page.getByRole("region", { name: "钩子的输出" }).innerText()).toContain("bad.txt is not allowed");
  await page.getByRole("button", { name: "让智能体解决" }).waitFor();
  await expectFits(page);
  await expectAccessible(page);
  await keepScreenshot(page, "hooks-push-refused-narrow");

  rmSync(join(attempt.directory, "bad.txt"));
  await push();
  await page.getByRole("button", { name: "推送时运行了钩子" }).click();
  await page.getByRole("region", { name: "钩子的输出" }).getByText("checking the files").waitFor();
  await expectFits(page);
  await keepScreenshot(page, "hooks-push-ran-narrow");
  expect(git(remote, "branch", "--list").trim()).not.toBe("");
});
