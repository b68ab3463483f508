import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectAccessible } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { openEventStream } from "../support/event-stream.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { git, newRepository } from "../support/repository.ts";
import { bash, newScriptedModel, type ScriptStep } from "../support/scripts.ts";

const write = (path: string, content: string) => ({ name: "write", arguments: { path, content } });

let server: RealServer;
let taskId = "";
let directory = "";

const source = Array.from({ length: 60 }, (_, index) => `export const value${index} = ${index}; // a line`).join("\n");
const steps: ScriptStep[] = [
  {
    text: "I write some files.",
    toolCalls: [
      write("src/app/values.ts", source.replace("value3 = 3", "value3 = 33").replace("value50 = 50", "value50 = 55")),
      write("src/app/new.py", "def hello():\n    return 'hi'\n"),
      write("docs/notes.md", "# Notes\n\nOne line.\n"),
      bash("printf '\\033[32mgreen\\033[0m line\\n'"),
      bash("echo failing >&2; exit 4"),
    ],
  },
  { text: "Done." },
];
const nextSteps: ScriptStep[] = [{ text: "And one more.", toolCalls: [write("docs/second.md", "# Second\n")] }, { text: "All done." }];

beforeAll(async () => {
  server = await startRealServer({ keep: true });
  const repository = newRepository("atlas");
  mkdirSync(join(repository, "src/app"), { recursive: true });
  writeFileSync(join(repository, "src/app/values.ts"), source);
  writeFileSync(
    join(repository, "dot.png"),
    Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64"),
  );
  git(repository, "add", "--all");
  git(repository, "commit", "--quiet", "--message", "sources");
  const project = await server.api.createProject(repository);
  const task = await server.api.createTask(project.id, "Change some values");
  taskId = task.id;
  const attempt = await server.api.createAttempt(taskId, { model: newScriptedModel(steps) });
  directory = attempt.directory;
  const stream = await openEventStream(server.api);
  const say = async (message: string) => {
    const { executionId } = await server.api.send(taskId, message);
    await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
  };
  await say("Change some values");
  await server.api.request("PATCH", `/api/attempts/${attempt.id}`, { model: newScriptedModel(nextSteps) });
  await say("One more");
  stream.close();
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

describe("panes of an attempt", () => {
  test("changes: a tree, colours, both layouts, and moving from change to change by key", async () => {
    const { page, complaints } = await visit(server, { path: `/t/${taskId}`, viewport: { width: 1500, height: 900 } });
    await page.getByText("All done.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("region", { name: "Conversation" }).focus();
    await page.keyboard.press("d");
    const tree = page.getByRole("navigation", { name: "Files that changed" });
    await tree.getByRole("button", { name: /values\.ts/ }).waitFor();
    // colours come from a worker, in the strict content security policy
    await page.locator("article[data-file='src/app/values.ts'] .tok-keyword").first().waitFor();
    await keepScreenshot(page, "task-changes-unified");
    await expectAccessible(page);

    await tree.getByRole("button", { name: /values\.ts/ }).click();
    await page.keyboard.press("j");
    expect(await page.locator("[data-focused=true]").count()).toBe(1);
    const first = await page.locator("[data-focused=true]").innerText();
    await page.keyboard.press("j");
    expect(await page.locator("[data-focused=true]").innerText()).not.toBe(first);
    await page.keyboard.press("k");
    expect(await page.locator("[data-focused=true]").innerText()).toBe(first);

    // what one execution changed, apart from the others
    const choose = async (name: RegExp) => {
      await page.getByRole("button", { name: /^Changes from/ }).click();
      await page.getByRole("menuitemradio", { name }).click();
    };
    await choose(/^Execution 2/);
    await page.locator("article[data-file='docs/second.md']").waitFor();
    expect(await page.locator("article[data-file]").count()).toBe(1);
    await choose(/^Execution 1/);
    await page.locator("article[data-file='src/app/values.ts']").waitFor();
    expect(await page.locator("article[data-file='docs/second.md']").count()).toBe(0);
    await choose(/^The whole attempt/);
    await page.locator("article[data-file='docs/second.md']").waitFor();

    await page.getByRole("button", { name: "Side by side" }).click();
    await page.locator("article[data-file='src/app/values.ts'] table.table-fixed").waitFor();
    await keepScreenshot(page, "task-changes-split");
    await page.reload();
    await page.locator("article[data-file='src/app/values.ts'] table.table-fixed").waitFor();
    expect(complaints).toEqual([]);
  });

  test("[X14] changes: what an ignore rule excludes and nested repositories are named, folded away at first", async () => {
    mkdirSync(join(directory, "build/deep"), { recursive: true });
    mkdirSync(join(directory, "lib"), { recursive: true });
    git(join(directory, "lib"), "init", "--quiet");
    for (const name of ["evil.log", "build/one.log", "build/deep/two.log", "build/deep/kept.txt", "lib/hidden.txt"])
      writeFileSync(join(directory, name), "x\n");
    writeFileSync(join(directory, ".gitignore"), "*.log\n");
    const { page, complaints } = await visit(server, { path: `/t/${taskId}?view=changes`, viewport: { width: 1500, height: 900 } });
    const excluded = page.getByRole("button", { name: "3 files and folders excluded by ignore rules" });
    await excluded.waitFor();
    expect(await page.getByText("evil.log").count()).toBe(0);
    await excluded.focus();
    await page.keyboard.press("Enter");
    await page.getByText("evil.log", { exact: true }).waitFor();
    await page.getByRole("button", { name: "build/ 2 files" }).click();
    await page.getByText("build/deep/two.log").waitFor();
    await page.getByRole("button", { name: "1 nested repository" }).click();
    await page.getByText("lib", { exact: true }).waitFor();
    await keepScreenshot(page, "task-changes-not-compared");
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

  test("files: folders load on demand; highlighted text, images, and nothing of .git", async () => {
    const { page, complaints } = await visit(server, { path: `/t/${taskId}?view=files`, viewport: { width: 1500, height: 900 } });
    const tree = page.getByRole("navigation", { name: "Files of the attempt" });
    await tree.getByRole("button", { name: "src" }).click();
    await tree.getByRole("button", { name: "app" }).click();
    await tree.getByRole("button", { name: "new.py" }).click();
    await page.getByText("def").first().waitFor();
    await page.locator("pre .tok-keyword").first().waitFor();
    await keepScreenshot(page, "task-files");
    await expectAccessible(page);
    await tree.getByRole("button", { name: "dot.png" }).click();
    await page.getByRole("img", { name: "dot.png" }).waitFor();
    expect(await tree.getByText(".git", { exact: true }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("commands and timeline show what ran, and link to its card", async () => {
    const { page, complaints } = await visit(server, { path: `/t/${taskId}?view=terminal`, viewport: { width: 1500, height: 900 } });
    await page.getByRole("tabpanel").locator(".ansi-2", { hasText: "green" }).waitFor();
    await page.getByRole("tabpanel").getByText("Exit code 4").waitFor();
    await keepScreenshot(page, "task-terminal");
    await expectAccessible(page);

    await page.getByRole("tab", { name: "Commands" }).focus();
    // by way of the terminal and the preview
    for (let tab = 0; tab < 3; tab++) await page.keyboard.press("ArrowRight");
    await page.getByRole("list", { name: "What happened when" }).waitFor();
    await page.getByRole("button", { name: "Execution 2" }).click();
    await page.getByRole("menuitemradio", { name: /^Execution 1/ }).click();
    expect(await page.locator("[data-span][data-kind=tool]").count()).toBe(5);
    expect(await page.locator("[data-span][data-kind=model]").count()).toBeGreaterThan(0);
    await page.locator("[data-span][data-kind=tool]").last().focus();
    await keepScreenshot(page, "task-timeline");
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await page.locator('[data-current] article[data-tool="bash"][data-state="failed"]').waitFor();
    expect(complaints).toEqual([]);
  });

  test("the panes are resized by pointer and by key, and keep their size", async () => {
    const { page } = await visit(server, { path: `/t/${taskId}?view=terminal`, viewport: { width: 1500, height: 900 } });
    const separator = page.getByRole("separator", { name: "Width of the panes" });
    const width = async () => (await page.getByRole("region", { name: "What the attempt did" }).boundingBox())?.width ?? 0;
    const before = await width();
    await separator.focus();
    await page.keyboard.press("ArrowLeft");
    await expect.poll(width).toBeGreaterThan(before);
    const box = await separator.boundingBox();
    if (box === null) throw new Error("no separator");
    await page.mouse.move(box.x, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 200, box.y + 200, { steps: 4 });
    await page.mouse.up();
    // the divider follows the pointer in steps: until it arrives, the drag is not over
    const distance = async () => Math.abs(((await separator.boundingBox())?.x ?? 0) - (box.x + 200));
    await expect.poll(distance).toBeLessThan(3);
    const dragged = await width();
    expect(dragged).toBeLessThan(before);
    await page.reload();
    await expect.poll(async () => Math.abs((await width()) - dragged)).toBeLessThan(3);
  });

  test("a narrow screen and a dark one", async () => {
    const { page } = await visit(server, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: "dark" });
    for (const view of ["changes", "files", "terminal", "timeline"]) {
      await page.goto(`${server.url}/t/${taskId}?view=${view}`);
      await page.getByRole("tabpanel").locator("button").first().waitFor();
      await keepScreenshot(page, `task-${view}-narrow`);
      await expectAccessible(page);
      const overflow = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
      expect(overflow, view).toBeLessThanOrEqual(0);
    }
    await page.goto(`${server.url}/t/${taskId}`);
    await page.getByRole("button", { name: "Find in the conversation" }).click();
    await page.keyboard.type("a");
    await page.getByRole("search").getByText(/ of /).waitFor();
    expect((await page.getByRole("search").boundingBox())?.x).toBeGreaterThan(0);
    expect((await page.getByRole("search").getByRole("textbox").boundingBox())?.width).toBeGreaterThan(60);
    await keepScreenshot(page, "task-find-narrow");
    // items that do not fit into the header are in its menu, which leaves room for the title
    expect((await page.getByRole("heading", { level: 1 }).boundingBox())?.width).toBeGreaterThan(130);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "New attempt" }).click();
    await page.getByRole("dialog", { name: "New attempt" }).waitFor();
  });
});
