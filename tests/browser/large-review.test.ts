import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeBrowser, keepScreenshot, untilDrawn, visit } from "../support/browser.ts";
import { newChangedAttempt } from "../support/changed-attempt.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";

let server: RealServer;

beforeAll(async () => {
  server = await startRealServer({ keep: true });
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

const source = (count: number) => Array.from({ length: count }, (_, index) => `export const value${index + 1} = ${index + 1};\n`).join("");

/** Time of the processor, in ms, so that it means the same on a machine that is busy with other things. */
interface Work {
  script: number;
  /** Style and layout. */
  render: number;
}

/**
 * What the page itself does while `action` runs. Inside it, elements are found by style sheet selectors only: to find one by its role, the
 * test would keep the page busy for longer.
 */
async function measure(page: Page, action: () => Promise<unknown>): Promise<Work> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const read = async () => new Map((await session.send("Performance.getMetrics")).metrics.map(({ name, value }) => [name, value * 1000]));
  await untilDrawn(page);
  const before = await read();
  await action();
  await untilDrawn(page);
  const after = await read();
  await session.detach();
  const spent = (name: string) => Math.round((after.get(name) ?? 0) - (before.get(name) ?? 0));
  return { script: spent("ScriptDuration"), render: spent("LayoutDuration") + spent("RecalcStyleDuration") };
}

const wide = { viewport: { width: 1500, height: 950 } };
const click = (page: Page, selector: string) => page.locator(selector).first().click();
const sendButton = (drafts: number) => `form button[type=submit]:text-is("Send review (${drafts})")`;

async function openTask(taskId: string): Promise<Page> {
  const { page } = await visit(server, { path: `/t/${taskId}`, ...wide });
  await page.getByRole("textbox", { name: "Message", exact: true }).waitFor();
  return page;
}

test("[G1] large review: 300 files with 50 comments open, expand, scroll and take a comment without a stall", async () => {
  const paths = Array.from({ length: 300 }, (_, index) => `src/part${index % 20}/module with a long name ${index}.ts`);
  const before = Object.fromEntries(paths.map((path) => [path, source(80)]));
  const after = Object.fromEntries(
    paths.map((path) => [path, source(80).replaceAll("= 4", "= 40").replace("value70 = 70", "value70 = 7")]),
  );
  const { taskId, attemptId } = await newChangedAttempt(server, { title: "Many files", before, after });
  for (const path of paths.slice(0, 50))
    await server.api.request("POST", `/api/attempts/${attemptId}/comments`, { path, startLine: 4, body: "Why?" });
  const page = await openTask(taskId);
  const first = page.locator("article[data-file]").first();
  const work = {
    open: await measure(page, async () => {
      await click(page, 'button:has-text("Changes")');
      await first.waitFor();
      await page.locator(sendButton(50)).waitFor();
    }),
    expand: await measure(page, async () => {
      await click(page, 'button[aria-label^="Expand all"]');
      await first.locator("tr[data-line]").first().waitFor();
    }),
    scroll: await measure(page, async () => {
      await first.hover();
      for (let step = 0; step < 30; step++) {
        await page.mouse.wheel(0, 900);
        await untilDrawn(page);
      }
    }),
    comment: await measure(page, async () => {
      await first.scrollIntoViewIfNeeded();
      await first.locator("tr[data-line]").nth(2).hover();
      await click(page, "[data-pick-line]");
      await page.keyboard.type("A comment");
      await page.keyboard.press("Control+Enter");
      await page.locator(sendButton(51)).waitFor();
    }),
  };
  await keepScreenshot(page, "review-large");
  expectNoStall(work);
});

test("[G1] large review: a file of 20,000 lines with 50 comments opens, grows and takes a comment without a stall", async () => {
  const { taskId, attemptId } = await newChangedAttempt(server, {
    title: "A long file",
    before: { "long.ts": "\n" },
    after: { "long.ts": source(20_000) },
  });
  for (let at = 1; at <= 50; at++)
    await server.api.request("POST", `/api/attempts/${attemptId}/comments`, { path: "long.ts", startLine: at * 20, body: `Comment ${at}` });
  const page = await openTask(taskId);
  const long = page.locator('article[data-file="long.ts"]');
  const open = await measure(page, async () => {
    await click(page, 'button:has-text("Changes")');
    await long.locator("tr[data-new='20']").waitFor();
    await page.locator(sendButton(50)).waitFor();
  });
  // those on lines that are not drawn yet are not silently missing
  await long.getByText(/^\d+ more commented lines further down\.$/).waitFor();
  const work = {
    open,
    more: await measure(page, async () => {
      await click(page, 'article button:has-text("Show")');
      await long.locator("tr[data-new='1200']").waitFor();
    }),
    comment: await measure(page, async () => {
      await long.locator("tr[data-new='30']").scrollIntoViewIfNeeded();
      await long.locator("tr[data-new='30']").hover();
      await click(page, "[data-pick-line]");
      await page.keyboard.type("A comment that is typed letter by letter");
      await page.keyboard.press("Control+Enter");
      await page.locator(sendButton(51)).waitFor();
    }),
    split: await measure(page, async () => {
      await click(page, 'button[aria-label="Side by side"]');
      await long.locator("table.table-fixed").waitFor();
    }),
  };
  expect(await page.locator("[data-comment]").count()).toBe(51);
  expectNoStall(work);
});

/** A few times of what it takes; what grows with lines times comments takes much more. */
function expectNoStall(work: Record<string, Work>): void {
  for (const [action, { script, render }] of Object.entries(work)) {
    expect(script, `${action}: script, in ms`).toBeLessThan(300);
    expect(render, `${action}: style and layout, in ms`).toBeLessThan(700);
  }
}
