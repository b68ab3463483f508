import { afterAll, expect, test } from "vitest";
import { expectAccessible } from "../support/accessible.ts";
import { closeBrowser, visit } from "../support/browser.ts";
import { newUserHome } from "../support/imported-sessions.ts";
import { startRealServer } from "../support/real-server.ts";

afterAll(closeBrowser);

test("[I1, I3] the page shows what was found, imports what is chosen, and opens it", async () => {
  const user = newUserHome("claude-code", "codex");
  const server = await startRealServer({ environment: { HOME: user.home } });
  const { page, complaints } = await visit(server);
  await page.goto(`${server.url}/import`);
  await page.getByRole("heading", { name: "Claude Code" }).waitFor();
  await page.getByText("2 sessions, ").waitFor();
  await expectAccessible(page);
  await page.getByLabel("All new sessions of Codex").uncheck();
  await page.getByText("1 session, ").waitFor();
  await page.getByRole("button", { name: "Import", exact: true }).press("Enter");
  await page.getByText("1 imported, 0 updated").waitFor();
  await page.getByText("Imported", { exact: true }).waitFor();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Open: Look at a.txt and change it" }).click();
  await page.getByText("Done: a.txt has three lines.").first().waitFor();
  expect(complaints).toEqual([]);
});
