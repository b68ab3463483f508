import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Attempt } from "@skein/contracts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { startConfiguredServer } from "../support/configured-server.ts";
import type { RealServer } from "../support/real-server.ts";
import { newFolder, newRepository } from "../support/repository.ts";

const recording = fileURLToPath(new URL("../../packages/agents/src/claude-code/__fixtures__/2.1.325-subagent-fwd.ndjson", import.meta.url));

/**
 * Replays what Claude Code sent when it started a subagent, but with two of them at once, line by line in turns. Waits after
 * their first commands until there is a file `go` in the attempt's folder.
 */
function newDelegatingClaudeCode(): string[] {
  const lines = readFileSync(recording, "utf8").trim().split("\n");
  // the second subagent: the same lines with other ids
  const second = (line: string) =>
    line
      .replaceAll("toolu_01XgPte9sPkDORii6m", "toolu_second")
      .replaceAll("toolu_01Pt8o6VDJaf8acAX8", "toolu_inner")
      .replaceAll("msg_01csvWF3SaXoaChOiY", "msg_second1")
      .replaceAll("msg_01nfpPWhZwIwoZt2Ct", "msg_second2")
      .replaceAll("Look at the files", "Read the history")
      .replaceAll("ls -a", "git log")
      .replaceAll("a70a65f508b844a90", "b70a65f508b844a90");
  const isShared = (line: string) => !line.includes("toolu_01XgPte9sPkDORii6m") && !line.includes("a70a65f508b844a90");
  const both = lines.map((line) => (isShared(line) ? [line] : [line, second(line)]));
  const pause = both.findIndex(([line]) => line?.includes(".git\\nREADME.md"));
  const program = join(newFolder("program"), "claude.mjs");
  const [before, after] = [both.slice(0, pause), both.slice(pause)].map((part) => `${part.flat().join("\n")}\n`);
  writeFileSync(
    program,
    `import { existsSync } from "node:fs";
if (process.argv.includes("--version")) { console.log("2.1.325 (Claude Code)"); process.exit(0); }
let heard = "";
process.stdin.on("data", (chunk) => {
  const begun = heard.includes('"type":"user"');
  heard += chunk;
  if (begun || !heard.includes('"type":"user"')) return;
  process.stdout.write(${JSON.stringify(before)});
  const timer = setInterval(() => {
    if (!existsSync("go")) return;
    clearInterval(timer);
    process.stdout.write(${JSON.stringify(after)});
  }, 50);
});
process.stdin.on("end", () => process.exit(0));
`,
  );
  return [process.execPath, program];
}

let server: RealServer;
let taskId = "";
let attempt: Attempt;

beforeAll(async () => {
  server = await startConfiguredServer(
    { agents: { "claude-code": { command: newDelegatingClaudeCode() } } },
    { ANTHROPIC_API_KEY: "none" },
    { keep: true },
  );
  const project = await server.api.createProject(newRepository("atlas"));
  taskId = (await server.api.createTask(project.id, "Look around")).id;
  attempt = await server.api.createAttempt(taskId, { agent: "claude-code", permissionMode: "full" });
});

afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

const cards = (page: Page) => page.locator('article[data-tool="Agent"]');
/** The conversation, top to bottom: the first words of each message. */
const shown = (page: Page) =>
  page.locator("[data-message-id]").evaluateAll((all) => all.map((one) => `${one.getAttribute("data-tool") ?? ""} ${one.textContent}`));

test("[T7] parallel subagents are collapsed under their own cards, live and after a reload", async () => {
  const { page, complaints } = await visit(server, { path: `/t/${taskId}`, viewport: { width: 1400, height: 900 } });
  await server.api.send(taskId, "Look around");

  // live: two lines, each with its name, count and current action
  await cards(page).nth(1).getByText("git log").waitFor();
  await cards(page).nth(0).getByText("ls -a").waitFor();
  expect(await cards(page).nth(0).innerText()).toContain("Look at the files");
  expect(await cards(page).nth(0).innerText()).toContain("1 tool call");
  expect(await cards(page).nth(1).innerText()).toContain("Read the history");
  expect(await cards(page).evaluateAll((all) => all.map((card) => card.getAttribute("data-state")))).toEqual(["running", "running"]);
  expect(await page.locator('article[data-tool="Bash"]').count()).toBe(0);
  await keepScreenshot(page, "subagents-live");
  await expectAccessible(page);

  // opened: its steps are shown under it, before the card of the other
  await cards(page).nth(0).getByRole("button").first().click();
  await page.locator('article[data-tool="Bash"]').waitFor();
  const order = (await shown(page)).map((text) =>
    ["Look at the files", "Listing.", "ls -a", "Read the history"].find((word) => text.includes(word)),
  );
  expect(order.filter((word) => word !== undefined)).toEqual(["Look at the files", "Listing.", "ls -a", "Read the history"]);
  await keepScreenshot(page, "subagents-open");

  writeFileSync(join(attempt.directory, "go"), "");
  await page.getByText("The helper reported back.").waitFor();
  expect(await cards(page).evaluateAll((all) => all.map((card) => card.getAttribute("data-state")))).toEqual(["completed", "completed"]);
  await page.locator('article[data-tool="Bash"][data-state="completed"]').waitFor();

  // an old conversation: the same, collapsed
  await page.reload();
  await page.getByText("The helper reported back.").waitFor();
  await cards(page).nth(1).getByText("1 tool call").waitFor();
  expect(await page.locator('article[data-tool="Bash"]').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("[T7] a link to a step of a subagent opens its card", async () => {
  const { page } = await visit(server, { path: `/t/${taskId}`, viewport: { width: 360, height: 740 } });
  await cards(page).nth(1).getByRole("button").first().click();
  const inner = page.locator('article[data-tool="Bash"]');
  const id = await inner.getAttribute("data-message-id");
  await expectFits(page);
  await keepScreenshot(page, "subagents-narrow");
  await page.goto("about:blank");
  await page.goto(`${server.url}/t/${taskId}#${id}`);
  await inner.waitFor();
  expect(await inner.getAttribute("data-message-id")).toBe(id);
});
