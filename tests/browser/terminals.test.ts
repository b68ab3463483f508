import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TerminalList } from "@skein/contracts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { git, newRepository } from "../support/repository.ts";

let server: RealServer;
let repository = "";
let projectId = "";
beforeAll(async () => {
  server = await startRealServer({ keep: true, environment: { SHELL: "/bin/bash" } });
  repository = newRepository("atlas");
  projectId = (await server.api.createProject(repository)).id;
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

async function newAttempt() {
  const task = await server.api.createTask(projectId, "Draw the map");
  const attempt = await server.api.createAttempt(task.id);
  const list = () => server.api.request<TerminalList>("GET", `/api/attempts/${attempt.id}/terminals`);
  return { task, attempt, list };
}

const screen = (page: Page) => page.locator(".xterm-rows");

test("[L9, U4] a terminal is opened, typed into and left by keyboard alone; a reload shows it as it was", async () => {
  const { task, attempt, list } = await newAttempt();
  const { page, complaints } = await visit(server, { path: `/t/${task.id}` });
  await page.getByRole("textbox", { name: "Message", exact: true }).waitFor();
  await page.getByRole("textbox", { name: "Message", exact: true }).blur();
  await page.keyboard.press("Shift+T");
  await page.getByText("A terminal runs your shell in the attempt's folder.").waitFor();
  await expectAccessible(page);
  const open = page.getByRole("button", { name: "Open a terminal" }).last();
  await open.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Terminal 1" }).waitFor();
  await expect.poll(() => page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe("Terminal 1");
  await page.keyboard.type("echo hi-$((40+2)) in $PWD");
  await page.keyboard.press("Enter");
  await screen(page).getByText("hi-42").first().waitFor();
  // the shell has the size of the pane
  await page.keyboard.type("stty size");
  await page.keyboard.press("Enter");
  await expect.poll(async () => /\n?\d+ \d+/.test(await screen(page).innerText())).toBe(true);
  // Tab completes in the shell; the documented key leaves it
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe("Terminal 1");
  await page.getByText("Ctrl+F6 leaves the terminal.").waitFor();
  await page.keyboard.press("Control+F6");
  await expect.poll(() => page.evaluate("document.activeElement?.textContent")).toBe("Terminal 1");
  await expectAccessible(page);
  await keepScreenshot(page, "terminal");

  await page.reload();
  await screen(page).getByText("hi-42").first().waitFor();
  await server.kill();
  await server.start();
  await page.getByRole("textbox", { name: "Terminal 1" }).focus();
  await expect
    .poll(async () => {
      await page.keyboard.type("echo back-$((1+1))\n");
      return (await screen(page).innerText()).includes("back-2");
    })
    .toBe(true);
  expect((await list()).terminals).toHaveLength(1);

  await page.keyboard.type("exit 7\n");
  await page.getByText("Exited with code 7.").waitFor();
  await page.getByRole("button", { name: "Start again" }).click();
  await page.getByText("Ctrl+F6 leaves the terminal.").waitFor();
  await page.getByRole("button", { name: "Close terminal 1, with everything that was started in it" }).click();
  await page.getByText("A terminal runs your shell in the attempt's folder.").waitFor();
  expect((await list()).terminals).toEqual([]);
  expect(attempt.directory).toBeTruthy();
  expect(complaints.filter((line) => !/Failed to load resource|ERR_CONNECTION/.test(line))).toEqual([]);
});

test("[L9, U5] in the dark, on a phone and in Chinese, a terminal fits", async () => {
  const { task, attempt } = await newAttempt();
  await server.api.request("POST", `/api/attempts/${attempt.id}/terminals`, { columns: 80, rows: 24 });
  const look = { colorScheme: "dark" as const, locale: "zh-CN", viewport: { width: 360, height: 740 } };
  const { page, complaints } = await visit(server, { path: `/t/${task.id}?view=shell`, ...look });
  await page.getByText("按 Ctrl+F6 离开终端。").waitFor();
  await page.getByRole("textbox", { name: "终端 1" }).waitFor();
  await expectFits(page);
  await expectAccessible(page);
  await keepScreenshot(page, "terminal-narrow-dark-zh");
  expect(complaints).toEqual([]);
});

test("[L9, X8] a dev server: not before its script is trusted; starting, listening on its own port, opened by a link, stopped", async () => {
  const program =
    "require('http').createServer((_, r) => r.end('served')).listen(process.env.SKEIN_PORT, '127.0.0.1', () => console.log('up'))";
  writeFileSync(join(repository, "server.cjs"), program);
  git(repository, "add", "server.cjs");
  // a second try finds the first one's commit and script
  git(repository, "commit", "--allow-empty", "-qm", "a server");
  rmSync(join(repository, ".skein"), { recursive: true, force: true });
  const { task } = await newAttempt();
  const { page, complaints } = await visit(server, { path: `/t/${task.id}?view=preview` });
  const start = page.getByRole("button", { name: "Start", exact: true }).last();
  await start.click();
  await page.getByText("The project has no dev script.").waitFor();
  const file = join(repository, ".skein/project.json");
  mkdirSync(join(repository, ".skein"), { recursive: true });
  writeFileSync(file, JSON.stringify({ dev: `node server.cjs ${crypto.randomUUID()}` }));
  await start.click();
  await page.getByText("You have not trusted this project's scripts").waitFor();
  const scripts = await server.api.request<{ hash: string }>("GET", `/api/projects/${projectId}/scripts`);
  await server.api.request("POST", `/api/projects/${projectId}/scripts/trust`, { hash: scripts.hash });
  await start.click();
  const link = page.getByRole("link", { name: /^Open http:\/\/127\.0\.0\.1:2\d{4}$/ });
  await link.waitFor();
  await screen(page).getByText("up").first().waitFor();
  expect(await link.getAttribute("rel")).toBe("noreferrer noopener");
  expect(await (await fetch((await link.getAttribute("href")) ?? "")).text()).toBe("served");
  await expectAccessible(page);
  await keepScreenshot(page, "dev-server");
  await page.getByRole("button", { name: "Stop", exact: true }).last().click();
  await page.getByText("Stopped", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Start", exact: true }).last().waitFor();
  expect(complaints.filter((line) => !line.includes("Failed to load resource"))).toEqual([]);
});
