import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { chromium } from "playwright-core";
import { files, stories } from "./pictures/stories.mjs";
import { findChromium } from "./setup/chromium.mjs";
import { findNode } from "./setup/own-node.mjs";
import { inRepository } from "./setup/repository.mjs";

// node scripts/pictures.mjs: recreates docs/images, with scripted models on its own server. Review each image before you commit it.

const work = mkdtempSync(path.join(tmpdir(), "skein-pictures-"));
const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox", "--disable-gpu"] });
try {
  await withServer("en", stories.en, async (server) => {
    await takeNewTask(server, "new-task", stories.en.prompt);
    const { task, project } = await fill(server, stories.en);
    await take(server, "board", project, { locator: "main [data-task-id]" });
    await take(server, "inbox", "/inbox", { locator: "[data-approval-id]" });
    await take(server, "task", task, { openEdit: true });
    await take(server, "task-dark", task, { openEdit: true, colorScheme: "dark" });
    await take(server, "task-narrow", task, { openEdit: true, viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    await take(server, "changes", `${task}?view=changes`, { locator: "article[data-file]" });
    await take(server, "timeline", `${task}?view=timeline`, { locator: '[role="tabpanel"] button' });
    await take(server, "context", `${await startDemo(server)}?view=context`, { locator: '[role="tabpanel"] article' });
  });
  await withServer("zh", stories.zh, async (server) => {
    await takeNewTask(server, "new-task-chinese", stories.zh.prompt);
    const { task, project } = await fill(server, stories.zh);
    await take(server, "board-chinese", project, { locator: "main [data-task-id]" });
    await take(server, "task-chinese", task, { openEdit: true });
  });
} finally {
  await browser.close();
  rmSync(work, { recursive: true, force: true });
}

/** An empty data dir, of a user with one repository, `~/code/atlas`. */
async function withServer(name, { locale }, use) {
  const [home, user] = [path.join(work, name, "data"), path.join(work, name, "user")];
  const repository = path.join(user, "code/atlas");
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(repository, file)), { recursive: true });
    writeFileSync(path.join(repository, file), content);
  }
  const git = (...args) => execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], { cwd: repository });
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "--message=Maps for field teams");
  const env = { PATH: process.env.PATH, HOME: user, SKEIN_HOME: home, SKEIN_SCRIPTED_MODELS: "1" };
  const child = spawn(findNode(), [inRepository("scripts/start.mjs"), "--port", "0", "--no-open"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  try {
    const url = await until(() => /Open\s+(http\S+)\/launch/.exec(output)?.[1]);
    const authorization = `Bearer ${readFileSync(path.join(home, "token"), "utf8").trim()}`;
    const request = async (method, place, body) => {
      const headers = { authorization, "content-type": "application/json" };
      const response = await fetch(url + place, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      if (!response.ok) throw new Error(`${method} ${place}: ${await response.text()}`);
      return response.json();
    };
    await use({ url, locale, repository, request });
    // agents that work or wait outlive their server
    for (const { id: taskId } of await request("GET", "/api/tasks")) {
      await request("POST", "/api/commands", { type: "STOP_EXECUTION", taskId }).catch(() => {});
    }
    await until(async () => (await request("GET", "/api/tasks")).every(({ activity }) => !activity?.executing));
  } finally {
    child.kill("SIGINT");
    if (child.exitCode === null) await once(child, "exit");
  }
}

async function until(read) {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; await setTimeout(100)) {
    const found = await read();
    if (found) return found;
  }
  throw new Error("Timed out after two minutes.");
}

/** The tasks of a story. Returns the pages of the board and of the task that is done. */
async function fill({ request, repository }, story) {
  const projects = await request("GET", "/api/projects");
  const project = projects[0] ?? (await request("POST", "/api/projects", { path: repository }));
  const projectId = project.id;
  let scripts = 0;
  const start = async ({ title, prompt = title, steps, mode, isLong, ...fields }) => {
    const script = path.join(work, `${projectId}-${scripts++}.json`);
    writeFileSync(script, JSON.stringify({ steps: steps.map((step) => ({ chunkDelayMs: 25, ...step })) }));
    const task = await request("POST", "/api/tasks", { projectId, title, ...fields });
    const input = { agent: "native", model: `scripted/${script}`, permissionMode: mode };
    const attempt = await request("POST", `/api/tasks/${task.id}/attempts`, input);
    await request("POST", "/api/commands", { type: "SEND_MESSAGE", taskId: task.id, message: prompt });
    await until(async () => {
      const [execution] = await request("GET", `/api/attempts/${attempt.id}/executions`);
      const asked = await request("GET", "/api/approvals?status=pending");
      if (isLong)
        return (await request("GET", `/api/tasks/${task.id}/conversation`)).messages.some(({ metadata }) => metadata?.toolName === "bash");
      return execution?.status !== "running" || asked.some(({ taskId }) => taskId === task.id);
    });
    // a script's path is not a model name to show
    await request("PATCH", `/api/attempts/${attempt.id}`, { model: "scripted/demo" });
    return task;
  };
  for (const { title, ...fields } of story.waiting) await request("POST", "/api/tasks", { projectId, title, ...fields });
  for (const task of story.working.filter(({ isLong }) => !isLong)) await start(task);
  await start({ title: story.failing.title, mode: "full", steps: [{ error: { kind: "auth", message: story.failing.error } }] });
  const main = await start({ ...story.main, mode: "full" });
  for (const task of story.working.filter(({ isLong }) => isLong)) await start(task);
  return { project: `/p/${projectId}`, task: `/t/${main.id}` };
}

/** A task of the built-in demo: the Context pane shows the model of each message, and that of a script would be a path. */
async function startDemo({ request }) {
  const [project] = await request("GET", "/api/projects");
  const task = await request("POST", "/api/tasks", { projectId: project.id, title: "Show me around" });
  const input = { agent: "native", model: "scripted/demo", permissionMode: "full" };
  const attempt = await request("POST", `/api/tasks/${task.id}/attempts`, input);
  await request("POST", "/api/commands", { type: "SEND_MESSAGE", taskId: task.id, message: "Show me what you can do" });
  await until(async () => (await request("GET", `/api/attempts/${attempt.id}/executions`))[0]?.status === "success");
  return `/t/${task.id}`;
}

async function visit({ locale, request }, options) {
  const context = await browser.newContext({ locale, viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  await page.goto((await request("POST", "/api/launch-codes")).url);
  await page.waitForURL(({ pathname }) => !pathname.startsWith("/launch"));
  return page;
}

/** Fonts, highlighting and numbers load after the first paint. */
async function shoot(page, name) {
  await page.evaluate("document.fonts.ready");
  await setTimeout(2000);
  await page.screenshot({ path: inRepository("docs/images", `${name}.png`) });
  console.log(`docs/images/${name}.png`);
  await page.context().close();
}

async function take(server, name, place, { locator, openEdit, ...options }) {
  const page = await visit(server, options);
  await page.goto(server.url + place);
  if (locator) await page.locator(locator).first().waitFor();
  if (openEdit) {
    const edit = page.locator('article[data-tool="edit"]').first();
    await edit.getByRole("button").first().click();
    await setTimeout(500);
    await edit.evaluate((element) => element.scrollIntoView({ block: "center" }));
    await page.mouse.move(2, 2);
  }
  await shoot(page, name);
}

/** The first run: the repository is chosen, and the prompt is written. */
async function takeNewTask(server, name, prompt) {
  const page = await visit(server, {});
  await page.getByRole("option", { name: /code\/atlas/ }).click();
  await page.locator("main textarea").first().fill(prompt);
  await shoot(page, name);
}
