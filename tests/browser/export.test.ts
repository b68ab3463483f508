import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ConversationMessage, ToolDetails } from "@skein/contracts";
import { buildConversationMessage, buildToolExecutionMessage } from "@skein/testkit";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { expectAccessible } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, launchBrowser, visit } from "../support/browser.ts";
import { openEventStream } from "../support/event-stream.ts";
import { newPng } from "../support/png.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { git, newFolder, newRepository } from "../support/repository.ts";
import { bash, newScriptedModel } from "../support/scripts.ts";
import { storeManyMessages } from "../support/store-messages.ts";
import { storeConversations } from "../support/stored-conversation.ts";

/** The part of a browser's global object that is used in it. */
interface Styled {
  getComputedStyle(element: unknown): { color: string };
}

const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
let server: RealServer;

beforeAll(async () => {
  server = await startRealServer({ keep: true });
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

/** Opens an exported file without a network, and collects what it asks for, reports and shows. */
async function openFile(file: string, options: BrowserContextOptions = {}) {
  const context = await (await launchBrowser()).newContext({
    locale: "en-US",
    viewport: { width: 1280, height: 2400 },
    offline: true,
    ...options,
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const requests: string[] = [];
  const complaints: string[] = [];
  await context.route("**/*", (route) => {
    const url = route.request().url();
    if (url === pathToFileURL(file).href) return route.continue();
    requests.push(url);
    return route.abort();
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(pathToFileURL(file).href);
  await page.getByRole("region", { name: /^(?:Conversation|对话)$/ }).waitFor();
  return { page, requests, complaints };
}

async function exportFile(attemptId: string, body: object): Promise<string> {
  const response = await fetch(`${server.url}/api/attempts/${attemptId}/export`, {
    method: "POST",
    headers: { ...server.api.headers, "content-type": "application/json" },
    body: JSON.stringify({ format: "html", ...body }),
  });
  expect([response.status, response.headers.get("content-disposition")]).toEqual([
    200,
    expect.stringMatching(/^attachment; filename=".*\.html"$/),
  ]);
  const file = join(newFolder("export"), "attempt.html");
  writeFileSync(file, await response.text());
  return file;
}

/** Every card, opened: its attributes and its text, as a reader sees it. */
async function readCards(page: Page): Promise<unknown[]> {
  const list = page.getByRole("region", { name: "Conversation" });
  for (let opened = 1; opened > 0; ) {
    const closed = list.locator('article button[aria-expanded="false"]');
    opened = await closed.count();
    if (opened > 0) await closed.first().click();
  }
  // text is drawn as Markdown once its parser is loaded
  await expect.poll(() => list.locator(".prose > p.whitespace-pre-wrap").count()).toBe(0);
  return page.evaluate<unknown[]>(`[...document.querySelectorAll("article[data-message-id]")].map((card) => ({
    ...card.dataset,
    label: card.getAttribute("aria-label"),
    text: card.innerText.replace(/\\s+/g, " ").trim(),
    tags: [...card.querySelectorAll("table, tr, pre, li, h1, h2, img, a, strong")].map(({ tagName }) => tagName).join(" "),
  }))`);
}

const attemptOf = async (taskId: string) => (await server.api.getTask(taskId)).activeAttemptId ?? "";

describe("an exported page", () => {
  test("[I4, U6] made by the dialog, it has the app's own cards, the protocol messages and the changes, offline", async () => {
    const repository = newRepository("exported");
    writeFileSync(join(repository, "logo.png"), newPng(3, 2, [255, 0, 0]));
    git(repository, "add", "logo.png");
    git(repository, "commit", "--quiet", "--message", "logo");
    const changed = join(newFolder("images"), "logo.png");
    writeFileSync(changed, newPng(5, 4, [0, 0, 255]));
    const project = await server.api.createProject(repository);
    const task = await server.api.createTask(project.id, "Export me");
    const steps = [
      {
        reasoning: "Let me think.",
        text: "I **write** it:\n\n- one\n- two",
        toolCalls: [{ name: "write", arguments: { path: "a.ts", content: `const a = "${token}";\n` } }],
      },
      { toolCalls: [{ name: "edit", arguments: { path: "a.ts", oldText: "const", newText: "let" } }] },
      { toolCalls: [bash(`cp ${changed} logo.png; cat a.ts && exit 3`), { name: "grep", arguments: { pattern: "let" } }] },
      { toolCalls: [{ name: "todo", arguments: { items: [{ text: "Check it", status: "completed" }] } }] },
      { text: `| a | b |\n|---|---|\n| 1 | ${token} |\n\n\`\`\`ts\nlet a = 1;\n\`\`\`` },
    ];
    await server.api.createAttempt(task.id, { model: newScriptedModel(steps) });
    const stream = await openEventStream(server.api);
    const { executionId } = await server.api.send(task.id, "Do it");
    await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
    stream.close();

    const { page, complaints } = await visit(server, { path: `/t/${task.id}`, viewport: { width: 1280, height: 2400 } });
    await page.getByText("Let me think.").waitFor();
    const inApp = await readCards(page);
    await page.getByRole("button", { name: "More about the conversation" }).click();
    await page.getByRole("menuitem", { name: "Export…" }).click();
    const dialog = page.getByRole("dialog", { name: "Export" });
    const finding = dialog.getByRole("listitem").filter({ hasText: "GitHub token" });
    await finding.getByText("ghp_••••••").waitFor();
    await finding.getByRole("button", { name: /^Where it occurs/ }).press("Enter");
    await expect.poll(() => finding.getByText('const a = "[redacted: github-token]').count()).toBeGreaterThan(0);
    await expectAccessible(page);
    await keepScreenshot(page, "export-dialog");
    // kept, so that the cards can be compared
    await dialog.getByRole("checkbox", { name: /^Redact GitHub token/ }).press("Space");
    for (const path of await dialog.getByRole("checkbox", { name: /^Redact (?:Home|User)/, checked: true }).all()) await path.uncheck();
    await dialog.getByText(/kept/).waitFor();
    const downloading = page.waitForEvent("download");
    await page.keyboard.press("Control+Enter");
    const download = await downloading;
    expect(download.suggestedFilename()).toBe("export-me-1.html");
    const file = join(newFolder("export"), download.suggestedFilename());
    await download.saveAs(file);
    await expect.poll(() => dialog.count()).toBe(0);
    expect(complaints).toEqual([]);

    const opened = await openFile(file);
    expect(await readCards(opened.page)).toEqual(inApp);
    await expectAccessible(opened.page);
    await keepScreenshot(opened.page, "exported-page");
    // colours of the block of code, made in the page
    await opened.page.locator("pre .tok-keyword", { hasText: "let" }).first().waitFor();
    await opened.page.getByRole("button", { name: "Changes" }).click();
    const ofFile = opened.page.getByRole("article", { name: "a.ts" });
    await ofFile.getByText(`let a = "${token}";`).waitFor();
    const string = ofFile.locator(".tok-string", { hasText: token });
    const colourOf = () => string.evaluate((element) => (globalThis as unknown as Styled).getComputedStyle(element).color);
    await string.waitFor();
    const light = await colourOf();
    await opened.page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(colourOf).not.toBe(light);
    await keepScreenshot(opened.page, "exported-changes-dark");
    await opened.page.emulateMedia({ colorScheme: "light" });
    // the image before and after, from the page itself
    const logo = opened.page.getByRole("article", { name: "logo.png" });
    const widths = () =>
      logo.getByRole("img").evaluateAll((images) => images.map((image) => (image as unknown as { naturalWidth: number }).naturalWidth));
    await expect.poll(widths).toEqual([3, 5]);
    await opened.page.getByRole("button", { name: "Messages" }).click();
    // a call and its result are one part (U2)
    await opened.page.getByRole("article", { name: "Assistant" }).filter({ hasText: "write" }).getByRole("button").click();
    await opened.page.getByText("Arguments", { exact: true }).first().waitFor();
    await opened.page.getByText("Result", { exact: true }).first().waitFor();
    expect({ requests: opened.requests, complaints: opened.complaints }).toEqual({ requests: [], complaints: [] });
  });

  test("[I4, X5] nothing of a hostile conversation runs or loads, and its policy lets nothing else run", async () => {
    const attack = "document.title='hacked';window.hacked=1";
    const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" onload="${attack}"><script>${attack}</script></svg>`).toString(
      "base64",
    );
    const texts = [
      `<script>${attack}</script>`,
      `</script><script>${attack}</script>`,
      `</title></style></textarea><img src=x onerror="${attack}">`,
      "<!--<script>",
      `<svg onload="${attack}"></svg> [click](javascript:${encodeURIComponent(attack)}) <a href="javascript:${attack}">x</a>`,
      `![x](data:image/svg+xml;base64,${svg}) ![y](https://evil.example/pixel.png) [data](data:text/html,<script>${attack}</script>)`,
      `<iframe src="https://evil.example"></iframe><link rel=stylesheet href=https://evil.example/a.css><meta http-equiv=refresh content="0;url=https://evil.example">`,
      `\u2028\u2029\u0000\ud800 \${alert(1)} \`\${alert(1)}\``,
    ];
    const details: ToolDetails[] = [
      { type: "commandOutput", data: { command: texts[1] ?? "", stdout: texts.join("\n"), stderr: "", exitCode: 1 } },
      {
        type: "webResult",
        data: { url: `javascript:${attack}`, title: texts[0], results: [{ title: texts[2] ?? "", url: `javascript:${attack}` }] },
      },
      { type: "image", data: { mediaType: "image/svg+xml", data: svg } },
      { type: "plan", data: { plan: texts.join("\n\n") } },
      { type: "fileContent", data: { filePath: texts[1] ?? "", content: texts.join("\n"), startLine: 1 } },
    ];
    const images = [{ mediaType: "image/png", data: newPng(20, 10, [200, 0, 0]).toString("base64") }];
    const messages: ConversationMessage[] = [
      buildConversationMessage({ id: "msg_image", role: "user", content: "An image", metadata: { images } }),
      ...texts.map((content, index) => buildConversationMessage({ id: `msg_text${index}`, content })),
      ...details.map((one, index) =>
        buildToolExecutionMessage({
          ...{ id: `msg_tool${index}-merged`, content: texts[1] ?? "" },
          metadata: {
            toolUseId: `t${index}`,
            toolName: texts[0] ?? "",
            input: { [texts[1] ?? ""]: texts[2] ?? "" },
            output: texts.join("\n"),
            details: one,
          },
        }),
      ),
    ];
    const [taskId = ""] = await storeConversations(server, [messages]);
    await server.api.request("PATCH", `/api/tasks/${taskId}`, { title: `</title><script>${attack}</script>` });
    const file = await exportFile(await attemptOf(taskId), { redaction: null });
    const { page, requests, complaints } = await openFile(file);
    const cards = await readCards(page);
    expect(cards).toHaveLength(messages.length);
    for (const link of await page.getByRole("link").all()) expect(await link.getAttribute("href")).toMatch(/^(?:https?|mailto):/);
    expect(await page.evaluate("[window.hacked, document.title.includes('<script>'), document.scripts.length]")).toEqual([
      undefined,
      true,
      1,
    ]);
    // the image of the user is part of the file
    const shown = page.getByRole("article").filter({ hasText: "An image" }).getByRole("img");
    await shown.waitFor();
    const decoded = `(async () => { const image = document.querySelector("article img"); await image.decode(); return [image.naturalWidth, image.naturalHeight]; })()`;
    expect(await page.evaluate(decoded)).toEqual([20, 10]);
    expect({ requests, complaints }).toEqual({ requests: [], complaints: [] });

    // what does get in cannot run, connect or load
    const blocked = await page.evaluate<{ violations: string[] }>(`(async () => {
      const script = ${JSON.stringify(attack)};
      const violations = [];
      document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => violations.push(effectiveDirective));
      const refused = [];
      const attempt = (name, work) => {
        try {
          work();
        } catch {
          refused.push(name);
        }
      };
      attempt("innerHTML", () => {
        document.createElement("div").innerHTML = "<img src=x onerror=" + script + ">";
      });
      attempt("script", () => {
        const added = document.createElement("script");
        added.textContent = script;
        document.body.append(added);
      });
      new Image().src = "https://evil.example/pixel.png";
      const fetched = await fetch("https://evil.example").then(() => true, () => false);
      // later: the browser's debugger, by which this runs, may evaluate texts
      await new Promise((done) =>
        setTimeout(() => {
          attempt("eval", () => new Function(script)());
          done();
        }),
      );
      return { refused, fetched, violations, hacked: "hacked" in window };
    })()`);
    expect(blocked).toMatchObject({ refused: ["innerHTML", "script", "eval"], fetched: false, hacked: false });
    expect(blocked.violations).toEqual(expect.arrayContaining(["connect-src", "img-src"]));
    expect(requests).toEqual([]);
  });

  test("[I4, Q14] a long conversation opens, draws what is in view, and can be searched; the page follows theme and language", async () => {
    const count = 6000;
    const { attemptId } = await storeManyMessages(server, { messages: count, textLength: 300 });
    const file = await exportFile(attemptId, {});
    const data = readFileSync(file, "utf8");
    expect(data.match(/data-skein="conversation"/g)?.length).toBeGreaterThan(10);
    const { page, requests, complaints } = await openFile(file, {
      colorScheme: "dark",
      locale: "zh-CN",
      viewport: { width: 1280, height: 800 },
    });
    expect(await page.evaluate("[document.documentElement.dataset.theme, document.documentElement.lang]")).toEqual(["dark", "zh-CN"]);
    expect(await page.getByRole("article").count()).toBeLessThan(60);
    await page.keyboard.press("Control+f");
    await page.keyboard.type("Message 4321 ");
    await page.getByRole("article").filter({ hasText: "Message 4321 " }).waitFor();
    expect(await page.getByRole("status").textContent()).toBe("1 / 1");
    await page.getByLabel("语言").selectOption("en");
    await page.getByRole("button", { name: "Messages" }).click();
    await page.getByRole("article").first().waitFor();
    expect({ requests, complaints }).toEqual({ requests: [], complaints: [] });
    // the page without its data
    expect(data.replace(/<script type="application\/json"[\s\S]*?<\/script>\n/g, "").length).toBeLessThan(1_000_000);
  });
});
