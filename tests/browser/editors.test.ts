import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { type RealServer, startRealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";

let server: RealServer;
beforeAll(async () => {
  server = await startRealServer({ keep: true });
});
afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

test("[L9] the folder and a file open in the chosen editor, by key, in the palette and at the file; only an editor's address is accepted", async () => {
  const task = await server.api.createTask((await server.api.createProject(newRepository("atlas"))).id, "Draw the map");
  const { directory } = await server.api.createAttempt(task.id);
  const { page, complaints } = await visit(server, { path: `/t/${task.id}?view=files` });
  const opened: string[] = [];
  const browser = await page.context().newCDPSession(page);
  await browser.send("Page.enable");
  browser.on("Page.frameRequestedNavigation", ({ url }) => void opened.push(url));
  await page.getByRole("button", { name: "hello.js" }).click();
  await page.getByRole("button", { name: "Open in VS Code" }).click();
  await expect.poll(() => opened).toEqual([`vscode://file${directory}/hello.js`]);
  await page.getByRole("textbox", { name: "Message", exact: true }).blur();
  await page.keyboard.press("o");
  await expect.poll(() => opened.at(-1)).toBe(`vscode://file${directory}`);

  await page.goto(`${server.url}/settings/appearance`);
  await page
    .getByRole("radio", { name: "Zed" })
    .or(page.getByText("Zed", { exact: true }))
    .first()
    .click();
  await page.getByText("Another", { exact: true }).click();
  const address = page.getByRole("textbox", { name: "Address that opens it" });
  await address.fill("javascript:alert('{path}')");
  await page.getByText("Use an address of an editor").waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "editor-setting");
  await address.fill("subl://open?url={path}");
  await page.goto(`${server.url}/t/${task.id}`);
  await page.getByRole("textbox", { name: "Message", exact: true }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("open in");
  await page.getByRole("option", { name: /Open in your editor/ }).click();
  await expect.poll(() => opened.at(-1)).toBe(`subl://open?url=${directory}`);
  expect(complaints).toEqual([]);
});
