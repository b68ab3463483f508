import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentList, Project, Settings } from "@skein/contracts";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, followLink, keepScreenshot, visit } from "../support/browser.ts";
import { openEventStream } from "../support/event-stream.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { newFolder, newRepository } from "../support/repository.ts";

let server: RealServer;
let initial: Settings;
let projectId = "";
beforeAll(async () => {
  server = await startRealServer({ keep: true });
  initial = await server.api.request<Settings>("GET", "/api/settings");
  const project = await server.api.createProject(newRepository("atlas"));
  const task = await server.api.createTask(project.id, "Show me around");
  await server.api.createAttempt(task.id);
  const stream = await openEventStream(server.api);
  await server.api.send(task.id, "Show me what you can do");
  await stream.waitFor(({ event }) => event.type === "execution:completed");
  stream.close();
  projectId = project.id;
});
// every test, even a retried one, begins with the settings of a new server
beforeEach(async () => {
  await server.api.request("PATCH", "/api/settings/general", initial.general);
  await server.api.request("PATCH", "/api/settings/defaults", initial.defaults);
  await server.api.request("PATCH", `/api/projects/${projectId}`, { systemPrompt: "" });
  for (const name of ["anthropic", "openai"]) await server.api.request("DELETE", `/api/settings/providers/${name}`);
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

const key = "sk-ant-very-secret-0123456789";
const open = async (page: Page, section: string) => {
  await page.goto(`${server.url}/settings/${section}`);
  await page.locator("#settings-section").waitFor();
};

test("[X11] a key is saved, used at once, never shown again, and removed", async () => {
  const { page, complaints } = await visit(server, { path: "/icon.svg" });
  const answers: string[] = [];
  page.on("response", async (response) => {
    if (response.url().includes("/api/")) answers.push(await response.text().catch(() => ""));
  });
  await open(page, "models");
  await page.getByLabel("API key for Anthropic", { exact: true }).fill(key);
  await page.keyboard.press("Enter");
  await page.getByText("The key for Anthropic was saved").waitFor();
  await page.getByText("Set", { exact: true }).waitFor();
  await keepScreenshot(page, "settings-models");
  await expectAccessible(page);
  const file = join(server.home, "config.json");
  expect([statSync(file).mode & 0o777, readFileSync(file, "utf8").includes(key)]).toEqual([0o600, true]);
  const { agents } = await server.api.request<AgentList>("GET", "/api/agents");
  expect(agents[0]?.models.some(({ id }) => id.startsWith("anthropic/"))).toBe(true);
  await page.reload();
  await page.getByText("Set", { exact: true }).waitFor();
  expect([answers.join("").includes(key), (await page.content()).includes(key), server.output.includes(key)]).toEqual([
    false,
    false,
    false,
  ]);
  await page.getByRole("button", { name: "Remove the key for Anthropic" }).click();
  await page.getByText("The key for Anthropic was removed").waitFor();
  expect(readFileSync(file, "utf8")).not.toContain(key);
  expect(complaints).toEqual([]);
});

test("appearance applies at once, defaults are stored on the server, and both can be exported to another browser in a file without keys", async () => {
  const { page } = await visit(server, { path: "/icon.svg" });
  await open(page, "appearance");
  await page.getByText("Dark", { exact: true }).click();
  await page.getByText("Compact", { exact: true }).click();
  await expect
    .poll(() => page.evaluate("document.documentElement.dataset.theme + document.documentElement.dataset.density"))
    .toBe("darkcompact");
  await page.reload();
  await expect
    .poll(() => page.evaluate("document.documentElement.dataset.theme + document.documentElement.dataset.density"))
    .toBe("darkcompact");
  await open(page, "defaults");
  await page.getByRole("combobox", { name: "Permissions" }).click();
  await page.getByRole("option", { name: /Ask before acting/ }).click();
  await page.getByText("Saved").waitFor();
  expect(await server.api.request<AgentList>("GET", "/api/agents")).toMatchObject({ defaultPermissionMode: "ask" });

  await server.api.request("PUT", "/api/settings/providers/openai", { apiKey: key });
  await open(page, "transfer");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export settings" }).click()]);
  const path = join(newFolder("export"), "settings.json");
  await download.saveAs(path);
  const text = readFileSync(path, "utf8");
  expect(text).not.toContain(key);
  expect(JSON.parse(text)).toMatchObject({ preferences: { "skein.theme": "dark" }, defaults: { permissionMode: "ask" } });

  await server.api.request("PATCH", "/api/settings/defaults", { permissionMode: null });
  const other = await visit(server, { path: "/icon.svg" });
  await open(other.page, "transfer");
  await other.page.locator("input[type=file]").setInputFiles(path);
  await other.page.getByText("The settings were imported").waitFor();
  await expect.poll(() => other.page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
  expect(await server.api.request("GET", "/api/settings")).toMatchObject({ defaults: { permissionMode: "ask" } });
  const wrong = join(newFolder("wrong"), "wrong.json");
  writeFileSync(wrong, "{}");
  await other.page.locator("input[type=file]").setInputFiles(wrong);
  await other.page.getByText("does not contain Skein settings").waitFor();
});

test("[R10, R5, T2, T5] settings of conversations: each is saved, shows its default and when it applies, and can be exported to another server in a file", async () => {
  const { page, complaints } = await visit(server, { path: "/icon.svg" });
  const general = async () => (await server.api.request<Settings>("GET", "/api/settings")).general;
  await open(page, "conversations");
  await page.getByLabel("System prompt").fill("Answer in short sentences.");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(async () => (await general()).systemPrompt).toBe("Answer in short sentences.");

  await page.getByLabel("Automatically").uncheck();
  await expect.poll(async () => (await general()).compression.auto).toBe(false);
  expect(await page.getByLabel("When the context is this full (%)").isDisabled()).toBe(true);
  await page.getByLabel("Automatically").check();
  await page.getByLabel("When the context is this full (%)").fill("60");
  await page.keyboard.press("Enter");
  await page.getByLabel("Or when there are more messages than").fill("200");
  await page.getByLabel("Turns that stay as they are").fill("0");
  await page.getByText("Enter a number from 1 to 100.").waitFor();
  await page.getByLabel("Turns that stay as they are").fill("3");
  await page.getByRole("combobox", { name: "Model that writes summaries" }).click();
  await page.getByRole("option", { name: /scripted\/demo/ }).click();
  await page.getByRole("combobox", { name: "Tool calls" }).click();
  await page.getByRole("option", { name: "Show separately" }).click();
  await page.getByLabel("Steps per message").fill("500");
  await page.getByLabel("Time limit for silent tools (minutes)").fill("30");
  await page.keyboard.press("Tab");
  const wanted = {
    compression: { enabled: true, auto: true, triggerMessages: 200, triggerRatio: 0.6, keepRecentTurns: 3, model: "scripted/demo" },
    mergeMode: "off",
    systemPrompt: "Answer in short sentences.",
    toolTimeoutMinutes: 30,
    maxSteps: 500,
    pullRequestRounds: 0,
    importAs: "done",
    importWatch: false,
    limits: { running: null, perAgent: {}, perProject: {} },
    budgets: { perProject: {} },
    parking: { resume: false, onOverload: false, perProject: {} },
    agentLimits: { depth: 1, starts: 10, costUsd: 10 },
    retention: { worktreeDays: 0, sandboxHomeDays: 0, executionLogDays: 90 },
    resources: { memoryMb: null, processes: 4096, perProject: {} },
    sandbox: { default: "off", hosts: [], perProject: {} },
  };
  await expect.poll(general).toEqual(wanted);
  await page.getByText("Default: 80.").waitFor();
  await page.reload();
  expect(await page.getByLabel("Or when there are more messages than").inputValue()).toBe("200");

  await open(page, "transfer");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export settings" }).click()]);
  const path = join(newFolder("export"), "settings.json");
  await download.saveAs(path);
  const back = { ...wanted, mergeMode: "live", systemPrompt: "", toolTimeoutMinutes: 120, maxSteps: 200 };
  await server.api.request("PATCH", "/api/settings/general", { ...back, compression: { auto: false, triggerMessages: null } });
  await page.locator("input[type=file]").setInputFiles(path);
  await page.getByText("The settings were imported").waitFor();
  expect(await general()).toEqual(wanted);
  await server.api.request("PATCH", "/api/settings/general", back);
  expect(complaints).toEqual([]);
});

test("[M1] the user creates and revokes a token for an agent, lets the agents of a project use Skein, and limits them", async () => {
  const { page, complaints } = await visit(server, { path: "/settings/access" });
  await page.getByRole("heading", { name: "Skein for agents" }).waitFor();
  await page.getByText("claude mcp add --scope user skein -- skein mcp").waitFor();
  await page.getByText(new URL("/mcp", server.url).href).waitFor();
  const access = page.getByRole("checkbox", { name: "atlas" });
  expect(await access.isChecked()).toBe(false);
  await access.click();
  const agentAccess = async () =>
    (await server.api.request<Project[]>("GET", "/api/projects")).find(({ id }) => id === projectId)?.agentAccess;
  await expect.poll(agentAccess).toBe(true);
  await page.getByLabel("Executions", { exact: true }).fill("3");
  await page.keyboard.press("Enter");
  await page.getByText("Saved").first().waitFor();
  expect((await server.api.request<Settings>("GET", "/api/settings")).general.agentLimits).toEqual({ depth: 1, starts: 3, costUsd: 10 });

  await page.getByLabel("Name of the token").fill("laptop");
  await page.getByRole("button", { name: "Create token" }).click();
  const token = page.getByRole("textbox", { name: "API tokens" });
  const authorization = `Bearer ${await token.inputValue()}`;
  const status = async () => (await fetch(new URL("/api/projects", server.url), { headers: { authorization } })).status;
  expect(await status()).toBe(200);
  await expectAccessible(page);
  await keepScreenshot(page, "agent-access");
  await page.getByRole("button", { name: "Revoke the token laptop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect.poll(status).toBe(401);
  await access.click();
  await expect.poll(agentAccess).not.toBe(true);
  expect(complaints).toEqual([]);
});

test("[R10] a setting shows the user's choice at once and keeps it; one that cannot be saved is reverted with a message", async () => {
  const { page } = await visit(server, { path: "/settings/conversations" });
  const held: (() => Promise<void>)[] = [];
  const path = "**/api/settings/{general,defaults}";
  await page.route(path, async (route) => {
    const response = await route.fetch();
    held.push(() => route.fulfill({ response }));
  });
  const answer = async () => {
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await held.shift()?.();
  };
  const auto = page.getByLabel("Automatically");
  await auto.uncheck();
  await expect.poll(() => held.length).toBe(1);
  await auto.check();
  // the response to the first change does not include the second
  await answer();
  await page.getByText("Saved").first().waitFor();
  expect(await auto.isChecked()).toBe(true);
  await answer();
  await expect.poll(async () => (await server.api.request<Settings>("GET", "/api/settings")).general.compression.auto).toBe(true);

  await followLink(page, "/settings/defaults");
  await page.getByRole("combobox", { name: "Permissions" }).click();
  await page.getByRole("option", { name: /Full access/ }).click();
  await expect.poll(() => page.getByRole("combobox", { name: "Permissions" }).innerText()).toContain("Full access");
  await answer();

  await page.unroute(path);
  const problem = { type: "about:blank", title: "x", status: 500, code: "internal", detail: "The disk is full." };
  await page.route(path, (route) => route.fulfill({ status: 500, contentType: "application/problem+json", body: JSON.stringify(problem) }));
  await page.getByRole("combobox", { name: "Permissions" }).click();
  await page.getByRole("option", { name: /Ask before acting/ }).click();
  await page.getByRole("alert").getByText("The disk is full.").waitFor();
  expect(await page.getByRole("combobox", { name: "Permissions" }).innerText()).toContain("Full access");
  await followLink(page, "/settings/conversations");
  await auto.click();
  await page.getByRole("alert").getByText("The disk is full.").waitFor();
  expect(await auto.isChecked()).toBe(true);
  await server.api.request("PATCH", "/api/settings/defaults", { permissionMode: null });
});

test("[T2] a browser follows the server's setting for tool calls until it has a choice of its own", async () => {
  const { page } = await visit(server);
  const card = page.locator("article[data-tool]");
  const [project] = await server.api.request<{ id: string }[]>("GET", "/api/projects");
  const [task] = await server.api.request<{ id: string }[]>("GET", `/api/tasks?projectId=${project?.id}`);
  const states = () => card.evaluateAll((cards) => [...new Set(cards.map((one) => one.getAttribute("data-state")))]);
  const choose = async (name: string) => {
    await page.getByRole("button", { name: "More about the conversation" }).click();
    await page.getByRole("menuitemradio", { name }).click();
  };
  await server.api.request("PATCH", "/api/settings/general", { mergeMode: "off" });
  await page.goto(`${server.url}/t/${task?.id}`);
  await expect.poll(states).toContain("requested");
  await choose("Merge live");
  await expect.poll(states).not.toContain("requested");
  await page.reload();
  await card.first().waitFor();
  expect(await states()).not.toContain("requested");
  // choosing the server's value means following it again
  await choose("Show separately");
  await expect.poll(states).toContain("requested");
  await server.api.request("PATCH", "/api/settings/general", { mergeMode: "live" });
  await page.reload();
  await card.first().waitFor();
  await expect.poll(states).not.toContain("requested");
});

test("on a narrow screen the sections are one row, and the keyboard reaches each of them", async () => {
  const { page } = await visit(server, { path: "/settings/appearance", viewport: { width: 360, height: 740 } });
  const links = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
  await links.first().waitFor();
  expect(new Set(await links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().top))).size).toBe(1);
  // a page that opens takes the focus to its heading
  const tabToLast = async () => {
    await page.keyboard.press("Tab");
    return links.last().evaluate((link) => link.matches(":focus"));
  };
  await expect.poll(tabToLast, { interval: 10 }).toBe(true);
  const rightEdge = () => links.last().evaluate((link) => Math.floor(link.getBoundingClientRect().right));
  await expect.poll(rightEdge).toBeLessThanOrEqual(360);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/settings\/transfer$/);
  // a link to a section shows where it is in the row
  await page.reload();
  await expect.poll(rightEdge).toBeLessThanOrEqual(360);
  await expectFits(page);
});

test("the invitation of a worker can be revoked, and its command disappears with it", async () => {
  const { page, complaints } = await visit(server, {
    ...{ path: "/settings/workers", viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: "dark" },
  });
  await page.getByRole("button", { name: "Add a worker" }).tap();
  const command = page.getByText(/^skein worker --server /);
  await command.waitFor();
  await page.getByText("This address works on this machine only.").waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await page.getByRole("button", { name: /^Revoke invitation: worker-/ }).tap();
  await page.getByText("There are no workers yet.").waitFor();
  expect(await command.count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("[R5] a project and an attempt have system prompts of their own, changeable later", async () => {
  const { page, complaints } = await visit(server, { path: "/icon.svg" });
  const [project] = await server.api.request<{ id: string; name: string; systemPrompt: string }[]>("GET", "/api/projects");
  const { id: taskId } = await server.api.createTask(project?.id ?? "", "With words of its own");
  await open(page, "projects");
  await page.getByRole("button", { name: `Settings for ${project?.name}` }).click();
  await page.getByLabel("System prompt").fill("Use tabs.");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  const prompts = async () => (await server.api.request<{ systemPrompt: string }[]>("GET", "/api/projects")).map((one) => one.systemPrompt);
  await expect.poll(prompts).toEqual(["Use tabs."]);
  expect(await page.getByLabel("System prompt").inputValue()).toBe("Use tabs.");
  await keepScreenshot(page, "project-system-prompt");
  await expectAccessible(page);

  await page.goto(`${server.url}/t/${taskId}`);
  await page.getByRole("button", { name: "New attempt" }).first().click();
  await page.getByText("System prompt (optional)").click();
  await page.getByRole("textbox", { name: "System prompt" }).fill("Speak like a pirate.");
  await keepScreenshot(page, "new-attempt-system-prompt");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Start attempt" }).click();
  const attempts = async () =>
    (await server.api.request<{ systemPrompt: string }[]>("GET", `/api/tasks/${taskId}/attempts`)).map((one) => one.systemPrompt);
  await expect.poll(attempts).toEqual(["Speak like a pirate."]);
  await page.getByRole("button", { name: "System prompt of this attempt: Set" }).click();
  await page.getByRole("textbox", { name: "System prompt" }).fill("");
  await keepScreenshot(page, "attempt-system-prompt");
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect.poll(attempts).toEqual([""]);
  await page.getByRole("button", { name: "System prompt of this attempt: None" }).waitFor();
  expect(complaints).toEqual([]);
});

test("[T8] a tool processor of the user's is listed with its tools and its failure, which its card names, too", async () => {
  const folder = join(server.home, "tool-processors");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "mine.js"), `export default { toolNames: ["todo"], present: () => ({ summary: "My own list" }) };`);
  writeFileSync(join(folder, "bad.ts"), `export default { toolNames: ["bash"], present() { throw new Error("no such field"); } };`);
  const [project] = await server.api.request<{ id: string }[]>("GET", "/api/projects");
  const { id: taskId } = await server.api.createTask(project?.id ?? "", "Show me around again");
  await server.api.createAttempt(taskId);
  const stream = await openEventStream(server.api);
  await server.api.send(taskId, "Show me what you can do");
  await stream.waitFor(({ event }) => event.type === "execution:completed");
  stream.close();
  const { page, complaints } = await visit(server, { path: `/t/${taskId}` });
  await page.locator("article[data-tool=bash] > button").first().click();
  await page.getByText("Shown without your tool processor bad.ts: present threw Error: no such field.").first().waitFor();
  await page.getByText("My own list").first().waitFor();
  await keepScreenshot(page, "tool-processor-card");
  await expectAccessible(page);
  await open(page, "tools");
  await page.getByText("mine.js").waitFor();
  await page.getByText("present threw Error: no such field").waitFor();
  expect(complaints).toEqual([]);
});

const all = [
  ...[
    "appearance",
    "agents",
    "models",
    "conversations",
    "defaults",
    "projects",
    "notifications",
    "shortcuts",
    "tools",
    "storage",
    "transfer",
  ],
];
const views: [string, string[], BrowserContextOptions][] = [
  ["light", all, { colorScheme: "light" }],
  ["dark", ["conversations", "tools"], { colorScheme: "dark" }],
  [
    "narrow",
    ["appearance", "models", "conversations", "tools", "storage"],
    { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: "dark", locale: "zh-CN" },
  ],
];

describe.each(views)("%s", (name, sections, options) => {
  test("every section and the usage page fit and are accessible", async () => {
    const { page, complaints } = await visit(server, { ...options, path: "/settings" });
    for (const section of sections) {
      await page.locator(`main nav a[href="/settings/${section}"]`).click();
      await page.locator(`main nav a[href="/settings/${section}"][aria-current=page]`).waitFor();
      if (section === "storage") await page.locator("progress").first().waitFor();
      if (section === "agents") await page.getByText("Claude Code").first().waitFor();
      await keepScreenshot(page, `settings-${section}-${name}`);
      await expectAccessible(page);
      await expectFits(page);
    }
    await page.goto(`${server.url}/usage`);
    await page.getByRole("img").last().waitFor();
    await page.getByText(name === "narrow" ? "以表格显示" : "Show as table").click();
    await keepScreenshot(page, `usage-${name}`);
    await expectAccessible(page);
    await expectFits(page);
    expect(complaints).toEqual([]);
  });
});
