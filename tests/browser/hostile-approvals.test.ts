import { afterAll, expect, test } from "vitest";
import { expectAccessible, expectFits } from "../support/accessible.ts";
import { closeBrowser, keepScreenshot, visit } from "../support/browser.ts";
import { startRealServer } from "../support/real-server.ts";
import { newRepository } from "../support/repository.ts";
import { bash, newScriptedModel } from "../support/scripts.ts";

afterAll(closeBrowser);

const noise = "echo harmless; ".repeat(300);

const approvals = [
  // 200 newlines before what matters
  `ls${"\n".repeat(200)}touch evil-1`,
  // spaces, tabs and other blanks
  `ls ${"\t ".repeat(100)}\u00a0\u3000\u2800\u3164; touch evil-2`,
  // text that a bidi override shows backwards, zero-width characters, a carriage return, an escape sequence
  `echo \u202e2-live hcuot\u202c \u2066\u200b\u200b\u2069\r\u001b[2Ktouch evil-3`,
  // marks that cover the lines around them
  `echo a${"\u0335\u0336\u0337\u0338".repeat(200)}; touch evil-4`,
  // one long line, nothing dangerous in it: the end is visible
  `${noise}touch evil-5`,
  // one long line that is dangerous: all of it must be shown before it can be allowed
  `${noise}rm -rf evil-6`,
];

test("[X6] newlines, blanks, bidi and other invisible characters, marks and length hide no part of an approval", async () => {
  const model = newScriptedModel([
    ...approvals.map((command) => ({ toolCalls: [bash(command)] })),
    { toolCalls: [{ name: "write", arguments: { path: "a.sh", content: `#!/bin/sh\n${"\n".repeat(300)}touch evil-7` } }] },
    { text: "All done." },
  ]);
  const server = await startRealServer();
  const project = await server.api.createProject(newRepository("atlas"));
  const task = await server.api.createTask(project.id, "Set it up");
  await server.api.createAttempt(task.id, { model, permissionMode: "ask" });
  const { page, complaints } = await visit(server, { path: "/inbox", viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  await server.api.send(task.id, "Set it up");
  const card = page.locator("[data-approval-id]");
  const deny = async () => {
    const id = await card.getAttribute("data-approval-id");
    await server.api.request("POST", `/api/approvals/${id}`, { decision: "deny" });
    await page.locator(`[data-approval-id="${id}"]`).waitFor({ state: "detached" });
    await card.waitFor();
  };
  /** On the screen, and visible without scrolling inside the card. */
  const expectSeen = async (text: string) => {
    const found = card.getByText(text).last();
    await found.waitFor();
    const isClipped = await found.evaluate((element) => {
      const box = element.getBoundingClientRect();
      for (let parent = element.parentElement; parent?.closest("[data-approval-id]"); parent = parent.parentElement) {
        const around = parent.getBoundingClientRect();
        if (box.bottom > around.bottom + 1 || box.right > around.right + 1) return true;
      }
      return false;
    });
    expect(isClipped, text).toBe(false);
  };

  await expectSeen("touch evil-1");
  await expectSeen("199 blank lines");
  await keepScreenshot(page, "approval-newlines");
  await expectAccessible(page);
  await expectFits(page);
  await deny();

  await expectSeen("touch evil-2");
  for (const mark of ["␣ × 201", "U+00A0", "U+3000", "U+2800", "U+3164"]) await expectSeen(mark);
  await expectSeen("Contains 4 invisible characters");
  await deny();

  await expectSeen("touch evil-3");
  for (const mark of ["U+202E", "U+202C", "U+2066", "U+200B × 2", "U+2069", "U+000D", "U+001B"]) await expectSeen(mark);
  await page.emulateMedia({ colorScheme: "light" });
  await keepScreenshot(page, "approval-invisible");
  await expectAccessible(page);
  await deny();

  await expectSeen("; touch evil-4");
  await expectSeen("U+0338");
  await deny();

  await expectSeen("touch evil-5");
  await expectSeen("more characters: show all");
  await keepScreenshot(page, "approval-long");
  expect(await card.getByRole("button", { name: "Allow", exact: true }).count()).toBe(1);
  await deny();

  await expectSeen("rm -rf evil-6");
  expect(await card.getByRole("button", { name: "Allow", exact: true }).count()).toBe(0);
  await card.getByRole("button", { name: "Deny" }).scrollIntoViewIfNeeded();
  await keepScreenshot(page, "approval-long-danger");
  await expectAccessible(page);
  // The key for “allow” shows all of it first.
  await page.locator("[data-approval-id][data-takes-keys]").waitFor();
  await page.keyboard.press("a");
  await card.getByRole("button", { name: "Allow", exact: true }).waitFor();
  expect(await card.getByText("more characters: show all").count()).toBe(0);
  await expectSeen("rm -rf evil-6");
  await deny();

  await expectSeen("touch evil-7");
  await expectSeen("more lines: show all");
  await card.getByRole("button", { name: "Deny" }).scrollIntoViewIfNeeded();
  await keepScreenshot(page, "approval-change");
  expect(complaints).toEqual([]);
});
