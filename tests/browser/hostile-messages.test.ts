import { type ConversationMessage, conversationMessageSchema, type ToolDetails } from "@skein/contracts";
import { buildConversationMessage, buildToolExecutionMessage } from "@skein/testkit";
import { buildImage } from "@skein/testkit/histories";
import { buildHostileTexts } from "@skein/testkit/hostile";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { expectAccessible } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { startRealServer } from "../support/real-server.ts";
import { storeConversations } from "../support/stored-conversation.ts";

afterAll(closeBrowser);

const texts = buildHostileTexts();
const hostileText = (name: string) => texts.find((text) => text.name === name)?.text ?? "";
const marker = (index: number) => `hostile-${index}-begins`;
const messageId = (name: string, index: number) => `msg_${name}${String(index).padStart(20, "0")}`;
const theEnd = buildConversationMessage({ id: "msg_theend", content: "The end." });

/** As an agent's answers, as the user's messages, and as thoughts. */
function toMessages(contents: readonly string[]): ConversationMessage[] {
  return [
    ...contents.map((content, index) => buildConversationMessage({ id: messageId("u", index), role: "user", content })),
    ...contents.map((content, index) =>
      conversationMessageSchema.parse({
        id: messageId("t", index),
        role: "assistant",
        messageType: "thinking",
        content,
        timestamp: 1,
        revision: 1,
      }),
    ),
    ...contents.map((content, index) => buildConversationMessage({ id: messageId("a", index), content: `${marker(index)}\n\n${content}` })),
    theEnd,
  ];
}

const deep = JSON.parse(`${"[".repeat(900)}1${"]".repeat(900)}`);
const diffOf = (lines: string[]): ToolDetails => ({
  type: "diff",
  data: {
    ...{ filePath: "a/".repeat(2000), scope: "snippet", oldContent: "", newContent: lines.join("\n") },
    hunks: [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: lines.length, lines: lines.map((line) => `+${line}`) }],
  },
});

const hostileDetails: ToolDetails[] = [
  ...[
    "colour changes",
    "colour parameters",
    "many lines",
    "one line",
    "combining marks",
    "open escape sequences",
    "blank lines",
    "deep JSON",
  ].map(
    (name): ToolDetails => ({
      type: "commandOutput",
      data: { command: hostileText("open brackets"), stdout: hostileText(name), stderr: "", exitCode: 0 },
    }),
  ),
  diffOf([hostileText("one line"), hostileText("combining marks")]),
  diffOf(hostileText("many lines").split("\n")),
  {
    type: "todoList",
    data: { items: Array.from({ length: 10_000 }, (_, index) => ({ text: `todo ${index}`, status: "pending" })), previous: [] },
  },
  { type: "todoList", data: { items: [{ text: hostileText("combining marks"), status: "completed" }] } },
  { type: "fileList", data: Array.from({ length: 20_000 }, (_, index) => `${"deep/".repeat(index === 0 ? 800 : 4)}${index}`) },
  { type: "fileContent", data: { filePath: `${"n".repeat(4000)}.ts`, content: hostileText("many lines"), startLine: 1 } },
  { type: "fileContent", data: { filePath: "a.ts", content: "a+".repeat(200_000), startLine: 1 } },
  {
    type: "searchResults",
    data: { pattern: hostileText("one line"), matches: [{ filePath: "a", line: 1, text: hostileText("one line") }], total: 1 },
  },
  { type: "plan", data: { plan: hostileText("nested quotes") } },
  { type: "webResult", data: { url: `https://example.com/${"a".repeat(100_000)}`, content: hostileText("one line") } },
  {
    type: "subagent",
    data: { description: hostileText("one line"), prompt: hostileText("many lines"), result: hostileText("nested lists") },
  },
];

function toTools(details: readonly (ToolDetails | undefined)[]): ConversationMessage[] {
  return [
    ...details.map((one, index) =>
      buildToolExecutionMessage({
        id: messageId("d", index),
        content: `tool ${index} ${one?.type === "todoList" ? hostileText("combining marks") : ""}`,
        metadata: { toolUseId: `toolu_${index}`, toolName: "thing", input: { deep }, ...(one ? { details: one } : {}) },
      }),
    ),
    theEnd,
  ];
}

interface Load {
  loadMs: number;
  /** CPU time of the page's thread: the elapsed time depends on what else runs. */
  loadCpuMs: number;
}

/** Returns the CPU time of the page's thread since the call. */
async function measureThread(page: Page): Promise<() => Promise<number>> {
  await page.goto("about:blank");
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const read = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1000;
  };
  const before = await read();
  return async () => {
    const after = await read();
    // a page in another process counts from zero
    return after < before ? after : after - before;
  };
}

const messageField = (page: Page) => page.getByRole("textbox", { name: "Message", exact: true });

/** Opens the task and types. */
async function load(page: Page, url: string): Promise<Load> {
  const readCpu = await measureThread(page);
  const startedAt = performance.now();
  await page.goto(url);
  const field = messageField(page);
  await field.fill("typed");
  await page.getByText("The end.").last().waitFor();
  await expect.poll(() => field.inputValue()).toBe("typed");
  const loadMs = performance.now() - startedAt;
  return { loadMs, loadCpuMs: await readCpu() };
}

/** Opens the task, then every card, and scrolls up through all of it. A page that stops responding fails by timeout. */
async function walkThrough(page: Page, url: string): Promise<Load & { longestTaskMs: number }> {
  const loaded = await load(page, url);
  const field = messageField(page);
  for (let step = 0; step < 200; step++) {
    await page.evaluate(
      `document.querySelectorAll("article button[aria-expanded=false][aria-controls], article[data-type=thinking] > button[aria-expanded=false]").forEach((button) => button.click())`,
    );
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 60)))");
    const moved = await page.evaluate<boolean>(`(() => {
      const list = document.querySelector('section[aria-label="Conversation"]');
      const rows = [...list.querySelectorAll("[data-index]")].sort((a, b) => a.dataset.index - b.dataset.index);
      const before = list.scrollTop;
      if (rows[0]) list.scrollTop += rows[0].getBoundingClientRect().top - list.getBoundingClientRect().top - 50;
      return list.scrollTop < before - 1;
    })()`);
    await field.press("x");
    if (!moved && (await page.evaluate<boolean>(`document.querySelector('[data-index="0"]') !== null`))) break;
  }
  return { ...loaded, longestTaskMs: await page.evaluate<number>("Math.max(0, ...window.longTasks)") };
}

const observe = `
  window.longTasks = [];
  new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: "longtask", buffered: true });
  window.drawn = {};
  addEventListener("DOMContentLoaded", () => {
    let waits = false;
    const record = () => {
      waits = false;
      for (const { textContent } of document.querySelectorAll("article[data-role=assistant][data-type=text]")) {
        const name = /hostile-\\d+-begins/.exec(textContent)?.[0];
        if (name) window.drawn[name] = Math.max(window.drawn[name] ?? 0, textContent.length);
      }
    };
    const onChange = () => {
      if (waits) return;
      waits = true;
      requestAnimationFrame(record);
    };
    new MutationObserver(onChange).observe(document.body, { childList: true, subtree: true });
  });
`;

test("[X19] hostile messages and tools are shown as text, and the page stays responsive", async () => {
  const server = await startRealServer();
  const harmless = "A **plain** answer with `code`.";
  const [plain, messages, tools] = await storeConversations(server, [
    toMessages(texts.map(() => harmless)),
    toMessages(texts.map(({ text }) => text)),
    toTools(hostileDetails),
  ]);
  const { page, complaints } = await visit(server);
  await page.addInitScript(observe);
  const reference = await load(page, `${server.url}/t/${plain}`);

  const measured = await walkThrough(page, `${server.url}/t/${messages}`);
  const shown = await page.evaluate<Record<string, number>>("window.drawn");
  await keepScreenshot(page, "hostile-messages");
  const more = page.getByRole("button", { name: /^Show more/ }).first();
  const before = await more.textContent();
  await more.click();
  await expect.poll(() => more.textContent()).not.toBe(before);

  const measuredTools = await walkThrough(page, `${server.url}/t/${tools}`);
  await keepScreenshot(page, "hostile-tools");

  const missing = texts.filter((_, index) => (shown[marker(index)] ?? 0) <= marker(index).length).map(({ name }) => name);
  expect(missing).toEqual([]);
  expect(complaints).toEqual([]);
  // before and after: how busy the machine is changes meanwhile
  const referenceMs = Math.max(reference.loadMs, (await load(page, `${server.url}/t/${plain}`)).loadMs);
  for (const { loadCpuMs, longestTaskMs } of [measured, measuredTools]) {
    expect(loadCpuMs).toBeLessThan(reference.loadCpuMs * 8);
    expect(longestTaskMs).toBeLessThan(referenceMs * 2);
  }
}, 240_000);

test("[X19] a message that cannot be rendered is shown as text and breaks nothing else", async () => {
  const server = await startRealServer();
  const todo: ToolDetails = { type: "todoList", data: { items: [] } };
  const [task] = await storeConversations(server, [
    [
      buildToolExecutionMessage({ id: messageId("d", 1), metadata: { output: "what the tool printed", details: todo } }),
      buildToolExecutionMessage({ id: messageId("d", 2), metadata: { toolUseId: "toolu_2", details: todo } }),
      theEnd,
    ],
  ]);
  const { page } = await visit(server);
  // As a server of another version might send it: a list without its items.
  await page.addInitScript(`
    const original = window.fetch;
    window.fetch = async (...request) => {
      const response = await original(...request);
      if (!/conversation|overview/.test(response.url)) return response;
      return new Response((await response.text()).replace('"items":[]', '"items":null'), { headers: { "content-type": "application/json" } });
    };
  `);
  await page.goto(`${server.url}/t/${task}`);
  await page.getByText("The end.").waitFor();
  const cards = page.locator("article[data-state=completed] button[aria-controls]");
  await cards.last().click();
  await cards.first().click();
  await page.locator("[data-not-drawn]").getByText("Ran ls").waitFor();
  await page.getByRole("button", { name: "Copy the raw text" }).waitFor();
  expect(await page.locator("article[data-state=completed]").count()).toBe(1);
  await page.getByText("The end.").waitFor();
  await page.getByRole("textbox", { name: "Message", exact: true }).fill("still typing");
});

test("[X19] an image with too many pixels is never given to the browser to decode, nor to an agent", async () => {
  const server = await startRealServer();
  const bomb = buildImage("image/png", { width: 16_000, height: 16_000 });
  const small = buildImage("image/png", { width: 20, height: 10 });
  const bitmap = { mediaType: "image/png", data: Buffer.from("BM a bitmap that claims to be a PNG").toString("base64") };
  const details: ToolDetails = { type: "image", data: { mediaType: "image/png", data: bomb.data, filePath: "shots/bomb.png" } };
  const [task] = await storeConversations(server, [
    [
      buildConversationMessage({ id: messageId("u", 1), role: "user", metadata: { images: [bomb, small, bitmap] } }),
      buildConversationMessage({ id: messageId("a", 1), content: `![in Markdown](data:image/png;base64,${bomb.data})` }),
      buildToolExecutionMessage({ id: messageId("d", 1), metadata: { details } }),
      theEnd,
    ],
  ]);
  const { page, complaints } = await visit(server, { path: `/t/${task}` });
  await page.getByText("The end.").waitFor();
  await page.locator("article[data-state=completed] button[aria-controls]").click();
  await expect.poll(() => page.locator("[data-image-placeholder]").count()).toBe(4);
  expect(await page.getByText("16,000 × 16,000 pixels").count()).toBe(3);
  expect(await page.locator("article img").evaluateAll((images) => images.map((image) => image.getAttribute("src") ?? ""))).toEqual([
    `data:image/png;base64,${small.data}`,
  ]);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).last().click();
  expect((await download).suggestedFilename()).toBe("bomb.png");
  await keepScreenshot(page, "hostile-images");
  await expectAccessible(page);

  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "bomb.png", mimeType: "image/png", buffer: Buffer.from(bomb.data, "base64") });
  await page.getByText("too many to be shown or sent").waitFor();
  expect(complaints).toEqual([]);
  const command = { type: "SEND_MESSAGE", taskId: task, message: "look", images: [bomb] };
  await expect(server.api.request("POST", "/api/commands", command)).rejects.toMatchObject({ problem: { code: "image-too-large" } });
});
