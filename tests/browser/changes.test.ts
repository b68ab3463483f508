import { chmodSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { newChangedAttempt } from "../support/changed-attempt.ts";
import { newPng } from "../support/png.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";

let server: RealServer;
let taskId = "";
let manyId = "";

const longPath = "packages/workbench/src/features/collaboration/presence/indicators/avatar-stack-with-overflow-menu.component.ts";
const lines = (name: string, count = 40) =>
  Array.from({ length: count }, (_, index) => `export const ${name}${index} = ${index};`).join("\n");

const fileNames = Array.from({ length: 300 }, (_, index) => `src/part${index % 12}/module${String(index).padStart(3, "0")}.ts`);

beforeAll(async () => {
  server = await startRealServer({ keep: true });
  const mixed = await newChangedAttempt(server, {
    title: "Every kind of change",
    before: {
      "logo.png": newPng(60, 40, [200, 60, 60]),
      "old-logo.png": newPng(20, 20, [10, 10, 10]),
      "bomb.png": newPng(8, 8, [0, 0, 0]),
      "src/before/name.ts": lines("kept"),
      "run.sh": "#!/bin/sh\necho run\n",
      [longPath]: lines("long"),
    },
  });
  mixed.put({ "logo.png": newPng(120, 50, [60, 60, 200]), "new.png": newPng(30, 30, [20, 160, 60]) });
  // small as a file, a gigabyte when it is decoded
  mixed.put({ "bomb.png": newPng(8, 8, [0, 0, 0], { width: 30_000, height: 30_000 }) });
  mixed.put({ [longPath]: lines("long").replace("= 7;", "= 77;") });
  rmSync(join(mixed.directory, "old-logo.png"));
  mkdirSync(join(mixed.directory, "src/after"));
  renameSync(join(mixed.directory, "src/before/name.ts"), join(mixed.directory, "src/after/name.ts"));
  chmodSync(join(mixed.directory, "run.sh"), 0o755);
  taskId = mixed.taskId;

  const many = await newChangedAttempt(server, {
    title: "Three hundred files",
    before: Object.fromEntries(fileNames.map((path, index) => [path, lines(`v${index}_`)])),
  });
  many.put(
    Object.fromEntries(fileNames.map((path, index) => [path, lines(`v${index}_`).replace(" = 3;", " = 33;").replace(" = 35;", " = 0;")])),
  );
  manyId = many.taskId;
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

const file = (page: Page, path: string) => page.locator(`article[data-file="${path}"]`);
const wide = { viewport: { width: 1700, height: 950 } };

test("changes: images are shown side by side, renames with both paths, and mode changes by name", async () => {
  const { page, complaints } = await visit(server, { path: `/t/${taskId}?view=changes`, ...wide });
  const logo = file(page, "logo.png");
  await logo.scrollIntoViewIfNeeded();
  const sizes = () =>
    logo.locator("img").evaluateAll((images) => images.map((image) => ("naturalWidth" in image ? image.naturalWidth : 0)));
  await expect.poll(sizes).toEqual([60, 120]);
  expect(await logo.innerText()).toContain("60 × 40");
  const boxes = await Promise.all([0, 1].map((index) => logo.locator("figure").nth(index).boundingBox()));
  expect(boxes[0]?.y).toBe(boxes[1]?.y);

  // images load when they come into view, and those above have moved these
  await file(page, "new.png").scrollIntoViewIfNeeded();
  await file(page, "new.png").locator("img[alt^=After]").waitFor();
  await file(page, "old-logo.png").scrollIntoViewIfNeeded();
  await file(page, "old-logo.png").locator("img[alt^=Before]").waitFor();
  expect([await file(page, "new.png").locator("figure").count(), await file(page, "old-logo.png").locator("figure").count()]).toEqual([
    1, 1,
  ]);

  const renamed = file(page, "src/after/name.ts");
  expect(await renamed.innerText()).toContain("src/before/name.ts");
  await file(page, "run.sh").getByText("Changed from file to executable file.").waitFor();
  await keepScreenshot(page, "changes-images");
  await renamed.scrollIntoViewIfNeeded();
  await keepScreenshot(page, "changes-renamed");
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

test("[X19] changes: an image with too many pixels is offered as a file, next to its old version", async () => {
  const { page } = await visit(server, { path: `/t/${taskId}?view=changes`, ...wide });
  const bomb = file(page, "bomb.png");
  await bomb.scrollIntoViewIfNeeded();
  await bomb.locator("[data-image-placeholder]").waitFor();
  await bomb.locator("img[alt^=Before]").waitFor();
  expect(await bomb.locator("img").count()).toBe(1);
});

test("changes: a long path is cut in its middle, and the name of the file stays in view", async () => {
  const { page } = await visit(server, { path: `/t/${taskId}?view=changes`, viewport: { width: 360, height: 740 } });
  const header = file(page, longPath).getByRole("button").first();
  await header.scrollIntoViewIfNeeded();
  // the end of the name is drawn in full, within the page; the parts before it are shortened, the folders first
  const path = header.locator(".path-text");
  const box = await path.boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThan(360);
  const widthOf = (element: string, part: string) =>
    page.evaluate<number>(
      `parseFloat(getComputedStyle(document.querySelector('[data-file="${longPath}"] ${element}'), "::${part}").width)`,
    );
  const widths = await Promise.all([widthOf(".path-text", "before"), widthOf(".path-name", "before"), widthOf(".path-name", "after")]);
  const [folders = 999, start = 0, end = 0] = widths;
  // not less than a letter and the whole ellipsis
  expect([folders > 18 && folders < 30, start > 20, end > 80], widths.join()).toEqual([true, true, true]);
  expect(folders + start + end).toBeLessThan((box?.width ?? 0) + 1);
  // the full path can be copied and is read by screen readers
  expect(await header.innerText()).toContain(longPath);
  await expectFits(page);
  await keepScreenshot(page, "changes-narrow");
});

test("changes: the keys move the focus also to a file without changed lines: an image, another mode", async () => {
  const { page } = await visit(server, { path: `/t/${taskId}?view=changes`, ...wide });
  await file(page, longPath).locator("[data-hunk]").first().waitFor();
  const focused = () => page.evaluate("document.activeElement?.closest('[data-file]')?.dataset.file");
  await page.locator("article[data-file] > header > button").first().focus();
  const order = await page.locator("article[data-file]").evaluateAll((files) => files.map((one) => one.getAttribute("data-file")));
  const visited: unknown[] = [];
  for (let step = 0; step < order.length; step++) {
    await page.keyboard.press("j");
    visited.push(await focused());
  }
  // from the first one in view, in order, one stop in each
  expect(visited).toEqual(
    order
      .slice(order.indexOf(String(visited[0])))
      .concat(Array(order.length).fill(order.at(-1)))
      .slice(0, order.length),
  );
  expect(visited).toEqual(expect.arrayContaining(["bomb.png", "run.sh"]));
});

test("changes: on a short screen the bars scroll away with the files", async () => {
  const { page } = await visit(server, { path: `/t/${taskId}?view=changes`, viewport: { width: 640, height: 400 } });
  const bar = page.getByRole("region", { name: "Branch of the attempt" });
  await bar.waitFor();
  const code = file(page, longPath).locator("[data-hunk]").first();
  await file(page, longPath).scrollIntoViewIfNeeded();
  await code.scrollIntoViewIfNeeded();
  await page.keyboard.press("j");
  const { y = 999, height = 0 } = (await code.boundingBox()) ?? {};
  expect(y + height).toBeLessThanOrEqual(400);
  expect((await bar.boundingBox())?.y).toBeLessThan(0);
  await expectAccessible(page);
  await expectFits(page);
});

test("changes: 300 files, moving from change to change through collapsed files, expanding and collapsing all, and the page stays responsive", async () => {
  const { page } = await visit(server, { path: `/t/${manyId}?view=changes`, ...wide });
  await file(page, fileNames[0] ?? "").waitFor();
  expect(await page.locator("[data-hunk]").count()).toBe(0);
  const next = page.getByRole("button", { name: "Next change" });
  const focused = () =>
    page.locator("[data-focused=true]").evaluateAll((all) => all.map((one) => one.closest("[data-file]")?.getAttribute("data-file")));

  // two changes in each file: the third is in the second file, which opens
  const inOrder = [...fileNames].toSorted((a, b) => a.localeCompare(b, "en"));
  for (const path of [inOrder[0], inOrder[0], inOrder[1]]) {
    await next.click();
    expect(await focused()).toEqual([path]);
  }
  await page.getByRole("button", { name: "Previous change" }).click();
  expect(await focused()).toEqual([inOrder[0]]);
  // the pane scrolls, not the page around it
  expect(await page.evaluate("document.scrollingElement.scrollTop")).toBe(0);
  await keepScreenshot(page, "changes-many");

  await page.getByRole("button", { name: "Expand all files" }).click();
  await page.getByRole("button", { name: "Collapse all files" }).waitFor();
  expect(await page.locator('[data-file] > header > button[aria-expanded="true"]').count()).toBe(300);
  // only what is near the view is drawn
  expect(await page.locator("[data-file]:has(table)").count()).toBeLessThan(60);
  const last = file(page, inOrder.at(-1) ?? "");
  await last.scrollIntoViewIfNeeded();
  await last.locator("[data-hunk]").first().waitFor();
  await page.getByRole("button", { name: "Collapse all files" }).click();
  await page.getByRole("button", { name: "Expand all files" }).waitFor();
  expect(await page.locator("[data-hunk]").count()).toBe(0);

  // the tree opens the file that is chosen in it
  await page
    .getByRole("navigation", { name: "Files that changed" })
    .getByRole("button", { name: /module150/ })
    .click();
  await file(page, fileNames[150] ?? "")
    .locator("[data-hunk]")
    .first()
    .waitFor();
});
