import { execFile } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { AgentList } from "@skein/contracts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { skeinProgram } from "../../packages/cli/src/testing/skein-program.ts";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { waitForEnd } from "../support/execution-end.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { newFolder, newRepository } from "../support/repository.ts";

/** A fake npx: an ACP agent that answers. */
const npx = `#!/usr/bin/env node
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "initialize") say({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  else if (method === "session/new") say({ id, result: { sessionId: "s1" } });
  else if (method === "session/prompt") {
    const content = { type: "text", text: "started as: " + process.argv.slice(2).join(" ") };
    say({ method: "session/update", params: { sessionId: "s1", update: { sessionUpdate: "agent_message_chunk", content } } });
    say({ id, result: { stopReason: "end_turn" } });
  }
}).on("close", () => process.exit(0));
`;

let server: RealServer;
beforeAll(async () => {
  const bin = newFolder("bin");
  writeFileSync(join(bin, "npx"), npx);
  chmodSync(join(bin, "npx"), 0o755);
  server = await startRealServer({ keep: true, environment: { PATH: `${bin}:${process.env.PATH}` } });
  await server.api.createProject(newRepository("atlas"));
});
beforeEach(async () => {
  const { agents } = await server.api.request<AgentList>("GET", "/api/agents");
  for (const { id, added } of agents) if (added) await server.api.request("DELETE", `/api/agents/${id}`);
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

const openDialog = async (page: Page) => {
  await page.goto(`${server.url}/settings/agents`);
  await page.getByRole("button", { name: "Add agent" }).click();
  await page.getByRole("searchbox", { name: "Search agents" }).waitFor();
};

test("[X7] an agent of the catalogue is added with the command that was shown, works, is turned off and removed, and its conversation stays", async () => {
  const { page, complaints } = await visit(server);
  const bodies: string[] = [];
  page.on("request", (request) => void bodies.push(request.postData() ?? ""));
  await openDialog(page);
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Skein supports Gemini CLI directly").waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "add-agent-catalogue");
  await page.keyboard.type("nothing like this");
  await dialog.getByText("No agent in the catalogue matches “nothing like this”.").waitFor();
  await page.getByRole("searchbox").fill("qoder");
  const command = await dialog.getByText(/npx --yes @qoder-ai\/qodercli@\S+ --acp/).textContent();
  await dialog.getByRole("button", { name: "Add Qoder CLI" }).click();
  await dialog.getByText("Added", { exact: true }).waitFor();
  expect(bodies.filter((body) => /npx|--acp|command/.test(body))).toEqual([]);
  await page.keyboard.press("Escape");

  const row = page.getByRole("listitem").filter({ hasText: "Qoder CLI" });
  await row.getByText(/npx --yes @qoder-ai/).waitFor();
  await row.getByText("Ready").waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "settings-agents-added");

  const [project] = await server.api.request<{ id: string }[]>("GET", "/api/projects");
  const task = await server.api.createTask(project?.id ?? "", "Ask Qoder");
  const attempt = await server.api.createAttempt(task.id, { agent: "acp:qoder" });
  const { executionId } = await server.api.send(task.id, "hello");
  await waitForEnd(server, attempt.id, executionId);
  const said = async () => (await server.api.conversation(task.id)).messages.map(({ content }) => content);
  expect(await said()).toContain(`started as: ${command?.replace(/^Runs: npx /, "")}`);

  await row.getByRole("button", { name: "Turn off Qoder CLI" }).click();
  await row.getByText("Off", { exact: true }).waitFor();
  const second = await server.api.send(task.id, "again");
  expect(await waitForEnd(server, attempt.id, second.executionId)).toMatchObject({
    status: "failed",
    reason: expect.stringContaining("Qoder CLI is turned off. Turn it on in Settings → Agents."),
  });
  await row.getByRole("button", { name: "Remove Qoder CLI" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByText("Qoder CLI was removed").waitFor();
  await row.waitFor({ state: "detached" });
  expect(JSON.parse(readFileSync(join(server.home, "config.json"), "utf8")).agents).toEqual({});
  await page.goto(`${server.url}/t/${task.id}`);
  await page.getByText(/started as: --yes/).waitFor();
  expect(complaints).toEqual([]);
});

test("[X7] a custom program is added with the command that the dialog shows, and appears by itself; the browser sends none of it", async () => {
  const { page, complaints } = await visit(server);
  const bodies: string[] = [];
  page.on("request", (request) => void bodies.push(request.url() + (request.postData() ?? "")));
  await openDialog(page);
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Custom command", { exact: true }).click();
  await dialog.getByText("Give it a name and a program to get the command.").waitFor();
  await dialog.getByText("Plain text", { exact: true }).click();
  await dialog.getByLabel("Name").fill("My echo");
  await dialog.getByLabel("Program").fill("./cat");
  await dialog.getByText("Use a name in your PATH or an absolute path.").waitFor();
  await dialog.getByLabel("Program").fill("cat");
  await dialog.getByLabel("Arguments").fill("-u");
  await dialog.getByLabel("Environment variables").fill("MY_URL=https://example.com/a b\nMY_KEY");
  const command = (await dialog.locator("code").textContent()) ?? "";
  expect(command).toBe(
    `npm run skein -- agents add --custom --home ${server.home} command:my-echo --name 'My echo' --env 'MY_URL=https://example.com/a b' --env MY_KEY -- cat -u`,
  );
  await expectAccessible(page);
  await keepScreenshot(page, "add-agent-custom");
  // as a shell reads it, with the same program
  const line = command.replace("npm run skein --", '"$NODE" "$SKEIN"');
  const env = { PATH: process.env.PATH, HOME: server.home, NODE: process.execPath, SKEIN: skeinProgram };
  const run = promisify(execFile)("sh", ["-c", `echo s3cret-value | ${line}`], { env });
  expect((await run).stdout).toContain("Added My echo as command:my-echo. It runs: cat -u");
  await dialog.getByText("My echo was added").waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByText("Sets MY_URL, MY_KEY").waitFor();
  expect(bodies.filter((body) => /my-echo|s3cret|MY_KEY/.test(body))).toEqual([]);
  expect(await page.content()).not.toContain("s3cret");
  expect(complaints).toEqual([]);
});

test("the palette opens the dialog from anywhere", async () => {
  const { page } = await visit(server, { path: "/inbox" });
  await page.getByRole("heading", { name: "Inbox" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("add agent");
  await page.getByRole("option", { name: "Add agent" }).click();
  await page.getByRole("searchbox", { name: "Search agents" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Add agent" }).waitFor();
});

test("the dialog fits a narrow screen, in the dark and in Chinese", async () => {
  const { page } = await visit(server, {
    path: "/settings/agents",
    viewport: { width: 360, height: 740 },
    colorScheme: "dark",
    locale: "zh-CN",
  });
  await page.getByRole("button", { name: "添加智能体" }).click();
  await page.getByRole("searchbox").waitFor();
  await expectFits(page);
  await expectAccessible(page);
  await keepScreenshot(page, "add-agent-narrow");
  await page.getByRole("dialog").getByText("自定义命令", { exact: true }).click();
  await page.getByLabel("名称").fill("我的助手");
  await page.getByLabel("程序").fill("my-agent");
  await page.getByRole("dialog").locator("code").waitFor();
  await expectFits(page);
  await expectAccessible(page);
  await keepScreenshot(page, "add-agent-custom-narrow");
});
