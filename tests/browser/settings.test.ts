import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentList } from "@skein/contracts";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { openEventStream } from "../support/event-stream.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { newFolder, newRepository } from "../support/repository.ts";

let server: RealServer;
beforeAll(async () => {
  server = await startRealServer({ keep: true });
  const project = await server.api.createProject(newRepository("atlas"));
  const task = await server.api.createTask(project.id, "Show me around");
  await server.api.createAttempt(task.id);
  const stream = await openEventStream(server.api);
  await server.api.send(task.id, "Show me what you can do");
  await stream.waitFor(({ event }) => event.type === "execution:completed");
  stream.close();
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
  const { page, complaints } = await visit(server);
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

test("appearance is at once, defaults are the server's, and both go to another browser in a file without keys", async () => {
  const { page } = await visit(server);
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
  const other = await visit(server);
  await open(other.page, "transfer");
  await other.page.locator("input[type=file]").setInputFiles(path);
  await other.page.getByText("The settings were imported").waitFor();
  await expect.poll(() => other.page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
  expect(await server.api.request("GET", "/api/settings")).toMatchObject({ defaults: { permissionMode: "ask" } });
  const wrong = join(newFolder("wrong"), "wrong.json");
  writeFileSync(wrong, "{}");
  await other.page.locator("input[type=file]").setInputFiles(wrong);
  await other.page.getByText("holds no settings of Skein").waitFor();
});

const all = ["appearance", "agents", "models", "defaults", "projects", "notifications", "shortcuts", "storage", "transfer"];
const views: [string, string[], BrowserContextOptions][] = [
  ["light", all, { colorScheme: "light" }],
  [
    "narrow",
    ["appearance", "models", "storage"],
    { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: "dark", locale: "zh-CN" },
  ],
];

describe.each(views)("%s", (name, sections, options) => {
  test("every section and the usage page fit and are accessible", async () => {
    const { page, complaints } = await visit(server, options);
    await page.goto(`${server.url}/settings`);
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
    await page.getByText(name === "light" ? "As a table" : "以表格显示").click();
    await keepScreenshot(page, `usage-${name}`);
    await expectAccessible(page);
    await expectFits(page);
    expect(complaints).toEqual([]);
  });
});
