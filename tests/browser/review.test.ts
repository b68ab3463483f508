import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Review } from "@skein/contracts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
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
const changed = source(60).replace("value3 = 3;", "value3 = 33;").replace("value50 = 50;", "value50 = 55;");

const file = (page: Page, path: string) => page.locator(`article[data-file="${path}"]`);
const wide = { viewport: { width: 1500, height: 950 } };

test("[G1, G3] review: comments by mouse and keyboard survive a reload and are sent as one message; viewed marks; discard and undo", async () => {
  const { taskId, attemptId, directory } = await newChangedAttempt(server, {
    title: "Review the values",
    before: { "src/values.ts": source(60), "src/other.ts": source(5) },
    after: { "src/values.ts": changed, "src/other.ts": `${source(5)}// 末尾\n`, "src/z-logo.bin": "\0binary" },
    answer: "I have read the review.",
  });
  const review = () => server.api.request<Review>("GET", `/api/attempts/${attemptId}/comments`);
  const { page, complaints } = await visit(server, { path: `/t/${taskId}?view=changes`, ...wide });
  const values = file(page, "src/values.ts");
  const send = page.getByRole("button", { name: /^Send review/ });
  await values.locator("tr[data-new='3']").waitFor();
  expect([await send.innerText(), await send.isDisabled()]).toEqual(["Send review (0)", true]);

  // by mouse, extended by a second line
  await values.locator("tr[data-new='3']").hover();
  await page.getByRole("button", { name: "Comment on line 3" }).click();
  await page.getByRole("textbox", { name: "Comment on line 3" }).fill("Is 33 right?");
  await values.locator("tr[data-new='5']").hover();
  await page.getByRole("button", { name: "Comment on line 5" }).click({ modifiers: ["Shift"] });
  const range = page.getByRole("textbox", { name: "Comment on lines 3–5" });
  expect(await range.inputValue()).toBe("Is 33 right?");
  await expectAccessible(page);
  await range.press("Control+Enter");
  await values.locator("tr[data-notes='new:5'] [data-comment=draft]").waitFor();

  // by keyboard, on the removed line: from change to change, then to the line; what was typed survives Escape
  await values.getByRole("button").first().focus();
  await page.keyboard.press("j");
  await expect.poll(() => page.evaluate("document.activeElement?.dataset.new"), { timeout: 5000 }).toBe("6");
  await page.keyboard.press("j");
  await expect.poll(() => page.evaluate("document.activeElement?.dataset.old"), { timeout: 5000 }).toBe("3");
  await page.keyboard.press("c");
  const old = page.getByRole("textbox", { name: "Comment on line 3 before the change" });
  await old.pressSequentially("Keep this, jk.");
  await old.press("Escape");
  await old.waitFor({ state: "detached" });
  expect(await page.evaluate("document.activeElement?.dataset.old")).toBe("3");
  await page.keyboard.press("c");
  expect(await old.inputValue()).toBe("Keep this, jk.");
  await old.press("Control+Enter");
  await values.locator("tr[data-notes='old:3'] [data-comment=draft]").waitFor();

  // on the file
  await values.getByRole("button", { name: "Actions for src/values.ts" }).click();
  await page.getByRole("menuitem", { name: "Comment on the file" }).click();
  await page.getByRole("textbox", { name: "Comment on the file" }).fill("Split this file.");
  await page.getByRole("button", { name: "Add comment" }).click();
  await expect.poll(() => send.innerText()).toBe("Send review (3)");

  // on the whole attempt; a draft cannot be resolved, and a deleted one comes back
  await page.getByRole("button", { name: "Comment on the whole attempt" }).click();
  await page.getByRole("textbox", { name: "Comment on the whole attempt", exact: true }).fill("Add tests.");
  await page.keyboard.press("Control+Enter");
  const whole = page.getByRole("region", { name: "Whole attempt", exact: true });
  await whole.getByText("Draft").waitFor();
  expect(await whole.getByRole("button", { name: "Resolve" }).count()).toBe(0);
  await whole.getByRole("button", { name: "Delete" }).click();
  await page.getByText("Comment deleted.").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await whole.getByText("Add tests.").waitFor();

  // on a binary file, which is not outdated for that
  const image = file(page, "src/z-logo.bin");
  await image.getByRole("button", { name: "Actions for src/z-logo.bin" }).click();
  await page.getByRole("menuitem", { name: "Comment on the file" }).click();
  await page.getByRole("textbox", { name: "Comment on the file", exact: true }).fill("Smaller, please.");
  await page.getByRole("button", { name: "Add comment" }).click();
  await expect.poll(() => send.innerText()).toBe("Send review (5)");

  await page.reload();
  await expect.poll(() => page.locator("[data-comment=draft]").count()).toBe(5);
  expect(await page.getByText("Outdated").count()).toBe(0);
  await keepScreenshot(page, "review-unified");
  await page.getByRole("button", { name: "Side by side" }).click();
  await values.locator("table.table-fixed tr[data-notes='old:3']").waitFor();
  await values.locator("tr[data-new='4'] td").nth(1).hover();
  await page.getByRole("button", { name: "Comment on line 4 before the change" }).waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "review-split");

  // all of them in one message
  const userMessages = async () => (await server.api.messages(attemptId)).filter(({ body }) => body.role === "user");
  expect(await userMessages()).toEqual([]);
  await page.getByRole("textbox", { name: /^First line/ }).fill("A few questions.");
  await send.click();
  await page.getByText("Review sent with 5 comments.").waitFor();
  await expect.poll(() => page.locator("[data-comment=sent]").count()).toBe(5);
  expect(await send.isDisabled()).toBe(true);
  await expect.poll(async () => (await server.api.messages(attemptId)).some(({ body }) => body.role === "assistant")).toBe(true);
  const messages = await userMessages();
  expect(messages).toHaveLength(1);
  for (const text of [
    "A few questions.",
    "Is 33 right?",
    "Keep this, jk.",
    "Split this file.",
    "lines 3–5",
    "Add tests.",
    "`src/z-logo.bin`\\nSmaller, please.",
  ])
    expect(JSON.stringify(messages[0]?.body.content)).toContain(text);
  expect((await review()).comments.map(({ state }) => state)).toEqual(["sent", "sent", "sent", "sent", "sent"]);
  await values.locator("tr[data-notes='old:3']").getByRole("button", { name: "Resolve" }).click();
  await values.locator("tr[data-notes='old:3'] [data-comment=resolved]").waitFor();
  await values.locator("tr[data-notes='old:3']").getByRole("button", { name: "Reopen" }).click();
  await values.locator("tr[data-notes='old:3'] [data-comment=sent]").waitFor();

  // lines that changed: the comment is at the top of the file, with what it was about
  writeFileSync(join(directory, "src/values.ts"), changed.replace("value4 = 4;", "value4 = 44;"));
  await page.getByRole("button", { name: "Refresh" }).click();
  await values.getByText("Outdated").waitFor();
  expect(await values.getByText("export const value4 = 4;").first().isVisible()).toBe(true);

  // viewed, until the content changes
  const other = file(page, "src/other.ts");
  await other.getByRole("checkbox", { name: "Viewed" }).check();
  await page.getByText("1 of 3 viewed").waitFor();
  await other.locator("table").waitFor({ state: "detached" });
  await page.reload();
  await page.getByText("1 of 3 viewed").waitFor();
  expect(await other.locator("table").count()).toBe(0);
  writeFileSync(join(directory, "src/other.ts"), `${source(5)}// changed again\n`);
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("0 of 3 viewed").waitFor();

  // discard one hunk in either layout, and undo
  const valuesText = () => readFileSync(join(directory, "src/values.ts"), "utf8");
  const firstOnly = changed.replace("value4 = 4;", "value4 = 44;").replace("value50 = 55;", "value50 = 50;");
  await values.getByRole("button", { name: "Discard hunk at line 47" }).click();
  await page.getByText("Hunk of src/values.ts discarded.").waitFor();
  await values.locator("tr[data-new='50']").waitFor({ state: "detached" });
  expect(valuesText()).toBe(firstOnly);
  await page.getByRole("button", { name: "Undo" }).click();
  await values.locator("tr[data-new='50']").waitFor();
  await page.getByRole("button", { name: "Side by side" }).click();
  await values.locator("table.min-w-max").waitFor();
  const first = values.getByRole("button", { name: "Discard hunk at line 1" });
  await first.focus();
  await page.keyboard.press("Enter");
  await values.locator("tr[data-new='3']").waitFor({ state: "detached" });
  expect(valuesText()).toBe(source(60).replace("value50 = 50;", "value50 = 55;"));
  await page.getByRole("button", { name: "Undo" }).click();
  await values.locator("tr[data-new='3']").first().waitFor();
  expect(valuesText()).toBe(changed.replace("value4 = 4;", "value4 = 44;"));

  // discard a file, and undo
  await other.getByRole("button", { name: "Actions for src/other.ts" }).click();
  await page.getByRole("menuitem", { name: "Discard changes" }).click();
  await page.getByText("Changes to src/other.ts discarded.").waitFor();
  await other.waitFor({ state: "detached" });
  expect(readFileSync(join(directory, "src/other.ts"), "utf8")).toBe(source(5));
  await page.getByRole("button", { name: "Undo" }).click();
  await other.waitFor();
  expect(readFileSync(join(directory, "src/other.ts"), "utf8")).toContain("// changed again");
  expect(complaints).toEqual([]);

  const narrow = await visit(server, { path: `/t/${taskId}?view=changes`, viewport: { width: 360, height: 740 }, hasTouch: true });
  const row = file(narrow.page, "src/values.ts").locator("tr[data-new='2']");
  await file(narrow.page, "src/values.ts").scrollIntoViewIfNeeded();
  await row.scrollIntoViewIfNeeded();
  await row.tap();
  await narrow.page.getByRole("button", { name: "Comment on line 2" }).tap();
  await narrow.page.getByRole("textbox", { name: "Comment on line 2" }).fill("From a phone.");
  await expectFits(narrow.page);
  await keepScreenshot(narrow.page, "review-narrow");
  await narrow.page.getByRole("button", { name: "Add comment" }).tap();
  await narrow.page.getByRole("button", { name: "Send review (1)" }).waitFor();

  const chinese = await visit(server, { path: `/t/${taskId}?view=changes`, locale: "zh-CN", ...wide });
  await chinese.page.getByRole("button", { name: "发送评审（1）" }).waitFor();
  await keepScreenshot(chinese.page, "review-chinese");
});

test("[G1] review: in a file of 20,000 lines, a comment draws only the lines around it again", async () => {
  const { taskId } = await newChangedAttempt(server, {
    title: "A long file",
    before: { "src/long.ts": "\n" },
    after: { "src/long.ts": source(20_000) },
  });
  const { page } = await visit(server, { path: `/t/${taskId}?view=changes`, ...wide });
  const long = file(page, "src/long.ts");
  await long.locator("tr[data-new='20']").waitFor();
  for (let parts = 0; parts < 3; parts++) {
    await long.getByRole("button", { name: /^Show/ }).click();
    await long.locator(`tr[data-new='${1000 + parts * 1000}']`).waitFor();
  }
  await long.locator("tr[data-new='20']").scrollIntoViewIfNeeded();
  await untilDrawn(page);
  await long.locator("tr[data-new='20']").hover();
  await page.getByRole("button", { name: "Comment on line 20" }).waitFor();
  // rows that are drawn again get new props from React; those of other parts keep theirs
  const props = "Object.keys(row).find((key) => key.startsWith('__reactProps'))";
  await page.evaluate(`window.seen = [...document.querySelectorAll("tr[data-line]")].map((row) => [row, row[${props}]])`);
  await page.getByRole("button", { name: "Comment on line 20" }).click();
  await page.getByRole("textbox", { name: "Comment on line 20" }).fill("Too long.");
  await page.getByRole("textbox", { name: "Comment on line 20" }).press("Control+Enter");
  await long.locator("tr[data-notes='new:20'] [data-comment=draft]").waitFor();
  const drawnAgain = await page.evaluate<number>(`window.seen.filter(([row, before]) => row[${props}] !== before).length`);
  expect(await page.evaluate("window.seen.length")).toBeGreaterThan(3000);
  expect(drawnAgain).toBeLessThanOrEqual(100);
});
